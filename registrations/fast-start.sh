#!/usr/bin/env bash
# Starts the packaged service as it is, with an archive of its classes, and, if it was packaged with the profile "aot", with classes made ahead of time.
# Each start must answer "UP"; the times are those that Spring logs.
#
#   mvn -f registrations -P aot,quick package && registrations/fast-start.sh
set -euo pipefail
cd "$(dirname "$0")/target"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
port=${PORT:-8089}
connection=${STOWLINE_CONNECTION_STRING:-UseDevelopmentStorage=true}

rm -rf fast && mkdir fast
"$java" -Djarmode=tools -jar registrations.jar extract --destination fast
cd fast

# The archive leaves out classes of signed jars, and JDK 17 crashes over their lambdas: these copies go without the signatures of the Azure SDK.
for library in lib/azure-*.jar; do
  zip -qd "$library" 'META-INF/*.SF' 'META-INF/*.RSA' 'META-INF/*.DSA' || true
done

start() {
  local name=$1
  shift
  "$java" "$@" -jar registrations.jar --server.port="$port" --stowline.connection-string="$connection" > "$name.log" 2>&1 &
  local pid=$!
  for _ in $(seq 300); do
    curl -fs "localhost:$port/actuator/health/readiness" > ready.json && break
    kill -0 "$pid" || { cat "$name.log"; exit 1; }
    sleep 0.05
  done
  kill "$pid" && wait "$pid" || true
  grep -q '"status":"UP"' ready.json
  printf '%-28s %s\n' "$name" "$(grep -o 'Started Regist.*' "$name.log")"
}

# The training run makes all beans, opens no port and sends nothing.
archive() {
  local name=$1
  shift
  "$java" -XX:ArchiveClassesAtExit="$name.jsa" -Dspring.context.exit=onRefresh "$@" -jar registrations.jar \
    --stowline.connection-string="$connection" > "$name-training.log" 2>&1
}

start plain
archive classes
start class-data-sharing -Xshare:on -XX:SharedArchiveFile=classes.jsa
unzip -l registrations.jar > contents.txt
if grep -q __BeanDefinitions contents.txt; then
  archive aot-classes -Dspring.aot.enabled=true
  start ahead-of-time -Dspring.aot.enabled=true
  start ahead-of-time-and-sharing -Dspring.aot.enabled=true -Xshare:on -XX:SharedArchiveFile=aot-classes.jsa
fi
