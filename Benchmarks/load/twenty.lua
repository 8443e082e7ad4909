OFFERS_PER_REQUEST = 20
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "signatures.lua")
