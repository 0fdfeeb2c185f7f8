package io.stowline.testkit.internal.strict;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.ServiceErrorBody;
import io.stowline.testkit.internal.strict.request.HttpDate;
import io.stowline.testkit.internal.strict.rule.RefusedException;
import io.stowline.testkit.internal.strict.table.FailedBatch;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** The response of the service to a request that it refuses. */
final class RefusalResponse {

    private RefusalResponse() {}

    static StubResponse of(SentRequest request, StorageService service, RefusedException refusal, Instant now) {
        String id = UUID.randomUUID().toString();
        String message = tail(refusal.text(), id, now);
        StubResponse response =
                refusal.concernsOperation() ? batch(refusal, message) : plain(service, refusal, message);
        StubResponse dressed = response.header("x-ms-request-id", id).header("Date", HttpDate.format(now));
        return request.method().equals("HEAD") ? dressed.body(new byte[0]) : echoed(request, dressed);
    }

    private static StubResponse echoed(SentRequest request, StubResponse response) {
        StubResponse echoed = response;
        for (String name : new String[] {"x-ms-version", "x-ms-client-request-id"}) {
            String value = request.header(name);
            echoed = value == null ? echoed : echoed.header(name, value);
        }
        return echoed;
    }

    private static StubResponse plain(StorageService service, RefusedException refusal, String message) {
        StrictRule rule = refusal.rule();
        if (service == StorageService.TABLE) {
            return StubResponse.tableError(rule.status(), rule.code(), message);
        }
        StubResponse response = StubResponse.error(rule.status(), rule.code(), message);
        return refusal.elements().isEmpty() ? response : response.body("application/xml", xml(refusal, message));
    }

    private static String xml(RefusedException refusal, String message) {
        StringBuilder elements = new StringBuilder();
        for (Map.Entry<String, String> element : refusal.elements().entrySet()) {
            String text = element.getValue().replace("&", "&amp;").replace("<", "&lt;");
            elements.append('<').append(element.getKey()).append('>').append(text);
            elements.append("</").append(element.getKey()).append('>');
        }
        return ServiceErrorBody.xml(refusal.rule().code(), message).replace("</Error>", elements + "</Error>");
    }

    private static StubResponse batch(RefusedException refusal, String message) {
        StrictRule rule = refusal.rule();
        String status = rule.status() + (rule.status() == 501 ? " Not Implemented" : " Bad Request");
        return FailedBatch.respond(status, rule.code(), refusal.index(), message);
    }

    private static String tail(String message, String id, Instant now) {
        return message + "\nRequestId:" + id + "\nTime:" + now;
    }
}
