package io.stowline.table.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The check that the operations on one entity are carried out in the order of their handover (B4), late attempts
 * included: nothing older lands on something newer of the same client. An operation that waits for room is not accepted
 * yet, so that others may go before.
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
