package io.stowline.spark.cluster;

import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A witness in front of the service, which counts for each row how often the service applied a write of it. */
record WriteWitness(FaultProxy proxy, String table) {

    private static final Pattern ROW_KEY = Pattern.compile("\"RowKey\":\"(\\d{8})\"");
    private static final Pattern REFUSED_PART = Pattern.compile("HTTP/1\\.1 [45]");

    /** Returns the rows with the number of their applied writes, whether or not the response reached the client. */
    Map<String, Integer> applied() {
        Map<String, Integer> applied = new TreeMap<>();
        for (RecordedExchange exchange : proxy.recorded(RequestMatch.requests().bodyContaining(table))) {
            if (exchange.isTruncated()) {
                throw new IllegalStateException("the proxy kept no body of " + exchange);
            }
            if (exchange.served().filter(WriteWitness::isApplied).isPresent()) {
                ROW_KEY.matcher(exchange.request().text())
                        .results()
                        .forEach(match -> applied.merge(match.group(1), 1, Integer::sum));
            }
        }
        return applied;
    }

    private static boolean isApplied(StubResponse response) {
        return response.status() < 300 && !REFUSED_PART.matcher(response.text()).find();
    }
}
