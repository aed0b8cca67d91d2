# Drawn by tools/pictures.sh from the records of one run in latency.json:
# ./sluice bench latency --channel shm --peers openmpi,mpich --sizes 8,64,1k,4k,16k,64k,256k,1m --json latency.json
set terminal svg size 720,380 dynamic font "sans-serif,13"
set logscale x 2
set logscale y 10
set xrange [6:1500000]
set xtics ("8 B" 8, "64 B" 64, "1 KB" 1024, "4 KB" 4096, "16 KB" 16384, "64 KB" 65536, "256 KB" 262144, "1 MB" 1048576)
set xlabel "bytes of a message"
set ylabel "one way, in microseconds"
set grid ytics
set border 3
set tics nomirror
set key left top
set linetype 1 linecolor rgb "#0969da" linewidth 2.5 pointtype 7 pointsize 0.6
set linetype 2 linecolor rgb "#cf222e" linewidth 1.5 pointtype 5 pointsize 0.5
set linetype 3 linecolor rgb "#bf8700" linewidth 1.5 pointtype 9 pointsize 0.6
plot "< awk '$1 == \"sluice\"' ".points using 2:($3 / 1000) with linespoints linetype 1 title "Sluice", \
     "< awk '$1 == \"openmpi\"' ".points using 2:($3 / 1000) with linespoints linetype 2 title "Open MPI", \
     "< awk '$1 == \"mpich\"' ".points using 2:($3 / 1000) with linespoints linetype 3 title "MPICH"
