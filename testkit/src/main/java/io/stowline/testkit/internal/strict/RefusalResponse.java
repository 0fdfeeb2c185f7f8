package io.stowline.testkit.internal.strict;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.strict.rule.RefusedException;
import io.stowline.testkit.internal.wire.BatchResponse;
import io.stowline.testkit.internal.wire.ServiceErrorBody;
import io.stowline.testkit.internal.wire.ServiceHeaders;
import java.time.Instant;
import java.util.UUID;

/** Response of the service to a request that breaks a rule. */
final class RefusalResponse {

    private RefusalResponse() {}

    static StubResponse of(SentRequest request, StorageService service, RefusedException refusal, Instant now) {
        String id = UUID.randomUUID().toString();
        String message = refusal.text() + "\nRequestId:" + id + "\nTime:" + now;
        StrictRule rule = refusal.rule();
        StubResponse response = refusal.concernsOperation()
                ? BatchResponse.failed(rule.status(), rule.code(), refusal.index(), message)
                : plain(service, refusal, message);
        return ServiceHeaders.on(response, request, id, now);
    }

    private static StubResponse plain(StorageService service, RefusedException refusal, String message) {
        StrictRule rule = refusal.rule();
        return service == StorageService.TABLE
                ? StubResponse.tableError(rule.status(), rule.code(), message)
                : StubResponse.error(rule.status(), rule.code(), message)
                        .body("application/xml", ServiceErrorBody.xml(rule.code(), message, refusal.elements()));
    }
}
