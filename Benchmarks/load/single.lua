OFFERS_PER_REQUEST = 1
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "signatures.lua")
