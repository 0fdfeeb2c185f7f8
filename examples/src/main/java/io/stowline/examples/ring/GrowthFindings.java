package io.stowline.examples.ring;

import io.stowline.examples.shared.Report;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of a ring that grew while applications wrote.
 *
 * @param tenants how many tenants have orders
 * @param moved how many of them have another account
 * @param writes how many writes were accepted
 * @param writesOfMove how many of them while tenants moved
 * @param repeated how many attempts of writes failed and were repeated
 * @param longestMillis the time that the longest write took
 * @param orders how many orders were read back
 * @param wrong orders that are missing, twice there, or not as they were accepted last
 */
record GrowthFindings(
        int tenants,
        int moved,
        long writes,
        long writesOfMove,
        long repeated,
        long longestMillis,
        int orders,
        List<String> wrong) {

    private static final int ACCOUNTS = 3;

    GrowthFindings {
        wrong = List.copyOf(wrong);
    }

    /** Compares what is there with what was accepted. */
    static List<String> wrong(List<TenantOrder> found, Map<String, TenantOrder> accepted) {
        List<String> wrong = new ArrayList<>();
        Map<String, TenantOrder> missing = new HashMap<>(accepted);
        for (TenantOrder order : found) {
            TenantOrder last = missing.remove(order.key());
            if (last == null) {
                wrong.add("order " + order.key() + " is there twice, or was never accepted");
            } else if (!last.equals(order)) {
                wrong.add(
                        "order " + order.key() + " has the amount " + order.amount() + " instead of " + last.amount());
            }
        }
        missing.keySet().stream().sorted().forEach(key -> wrong.add("order " + key + " is missing"));
        return wrong;
    }

    /** Returns the figures as lines. */
    List<String> lines() {
        return new Report()
                .row("tenants", "%,d", tenants)
                .row("  moved to the third account", "%,d", moved)
                .row("  ideal share of three accounts", "%,d", tenants / ACCOUNTS)
                .row("writes accepted", "%,d", writes)
                .row("  while tenants moved", "%,d", writesOfMove)
                .row("  repeated", "%,d", repeated)
                .row("longest write, ms", "%,d", longestMillis)
                .row("orders read back", "%,d", orders)
                .row("  lost, twice or outdated", "%,d", wrong.size())
                .lines();
    }
}
