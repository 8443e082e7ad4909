-- Requests about customers picked at random, as bench/history.py asks for.
--
-- Environment: BENCH_PATH       the path
--              BENCH_BODY       the body, with %s where the customer's number of six digits or more stands; none: the same for all
--              BENCH_CUSTOMERS  how many customers there are
--              BENCH_TOKEN      the bearer token

-- As many as a run needs, so that few customers are asked about twice.
local DISTINCT_REQUESTS = 100000

local requests = {}
local turn = 0

function init(args)
  local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. os.getenv("BENCH_TOKEN") }
  local customers = tonumber(os.getenv("BENCH_CUSTOMERS"))
  -- Other customers in each run.
  math.randomseed(os.time())
  for number = 1, DISTINCT_REQUESTS do
    local customer = string.format("%06d", math.random(0, customers - 1))
    local body = os.getenv("BENCH_BODY"):gsub("%%s", customer)
    requests[number] = wrk.format("POST", os.getenv("BENCH_PATH"), headers, body)
  end
end

function request()
  turn = turn % DISTINCT_REQUESTS + 1
  return requests[turn]
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")
