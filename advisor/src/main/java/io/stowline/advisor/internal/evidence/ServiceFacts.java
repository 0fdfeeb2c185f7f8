package io.stowline.advisor.internal.evidence;

import io.stowline.observe.ClientInfo;
import io.stowline.observe.ServiceState;
import java.time.Duration;

/**
 * The facts of one service of an open client, read when a report is made.
 *
 * @param account the account's name
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param info the facts of the client
 * @param clockSkew the service's clock minus this machine's
 * @param permitLimit how many attempts may be in flight at present
 */
public record ServiceFacts(String account, String service, ClientInfo info, Duration clockSkew, int permitLimit) {

    static ServiceFacts of(ServiceState state) {
        return new ServiceFacts(
                state.account(), state.service(), state.client(), state.clockSkew(), state.permitLimit());
    }
}
