package io.stowline.table.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was carried out on one entity came in the order in which it was handed over (B4), also what came late of an attempt that was given
 * up: nothing older lands on something newer of ours. Who waits for room is not accepted yet, so that others may go before.
 */
record OrderCheck(Trace trace, Books books) {

    void of(List<Event> history) {
        Map<Object, SimulatedOperation> last = new HashMap<>();
        for (Event event : history) {
            SimulatedOperation op = books.op(event.change().op());
            if (op != null) {
                after(last, op.owner, op);
                if (op.way.isAtOnce()) {
                    after(last, OrderCheck.class, op);
                }
            }
        }
    }

    private void after(Map<Object, SimulatedOperation> last, Object line, SimulatedOperation op) {
        SimulatedOperation before = last.put(line, op);
        trace.expect(
                before == null || before.id <= op.id,
                () -> "BATCH-4: " + op + " was carried out after " + before + ", which was handed over later");
    }
}
