#!/bin/sh
# An experiment as an array job: each task makes its part and keeps it in a folder of its own (docs/clusters.md).
#   sbatch --array=1-100 examples/cluster/slurm-array.sh SPEC.json PARTS
# and when all have ended: npx paceline merge PARTS/* --data-dir ALL
#SBATCH --job-name=paceline
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00
set -eu
spec=$1
parts=$2
exec npx paceline run "$spec" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --data-dir "$parts/$SLURM_ARRAY_TASK_ID" --workers "${SLURM_CPUS_PER_TASK:-1}" --series none
