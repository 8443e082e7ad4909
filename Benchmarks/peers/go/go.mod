module offersigner.dev/benchmarks/peers/go

go 1.19
