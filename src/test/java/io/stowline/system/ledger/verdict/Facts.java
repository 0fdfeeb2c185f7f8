package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Sending;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that is known of one seed.
 *
 * @param cases the operations with the reported results
 * @param arrivals the requests as they came from each worker
 * @param writes what reached the service, in order
 * @param end what the service holds at the end
 * @param beyond the names of requests that the service carried out later than anybody could have promised
 */
public record Facts(
        List<Case> cases,
        Map<Integer, List<OperationScript.Arrival>> arrivals,
        List<Sending> writes,
        End end,
        Set<String> beyond) {

    /**
     * The stored state at the end.
     *
     * @param rows the entities
     * @param blobs what each blob holds
     * @param messages the messages
     */
    public record End(Map<Key, Row> rows, Map<String, String> blobs, List<Message> messages) {}
}
