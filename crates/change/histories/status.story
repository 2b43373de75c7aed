kind status
media text/html
<html><head><title>Acme status</title></head><body><main>
<h1>Acme status</h1><p>All times are UTC. It is {clock}.</p>
<table><tr><th>Service</th><th>State</th><th>Latency</th></tr>
<tr><td>API</td><td>{api}</td><td>{ms1} ms</td></tr>
<tr><td>Web</td><td>{web}</td><td>{ms2} ms</td></tr></table>
<h2>Incidents</h2><p>{incident}</p></main></body></html>
-- looks --
first clock="09:00:01" api="operational" web="operational" ms1="41" ms2="120" incident="No incidents."
noise clock="09:05:02" ms1="44" ms2="118"
noise clock="09:10:01" ms1="39" ms2="131"
noise clock="09:15:03" ms1="40" ms2="125"
noise clock="09:20:01" ms1="47" ms2="122"
noise clock="09:25:01" ms1="43" ms2="119"
wanted clock="09:30:02" api="degraded" ms1="941" ms2="140" incident="We look into slow answers of the API."
noise clock="09:35:01" ms1="877" ms2="133"
wanted clock="09:40:02" incident="A bad disk was found; we replace it."
noise clock="09:45:01" ms1="901" ms2="121"
wanted clock="09:50:01" api="operational" ms1="42" ms2="120" incident="No incidents."
noise clock="09:55:04" ms1="45" ms2="124"
noise clock="10:00:01" ms1="41" ms2="128"
