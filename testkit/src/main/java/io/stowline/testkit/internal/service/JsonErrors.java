package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.wire.Bytes;
import io.stowline.testkit.internal.wire.ServiceErrorBody;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.io.IOException;

/** A stage that turns refusals of the table service into the JSON of the service, where the emulator sends XML. */
public final class JsonErrors implements Stage {

    private static final String JSON = "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";

    /** Makes the stage. */
    public JsonErrors() {}

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        StubResponse response = next.response(request);
        if (request.service() != StorageService.TABLE || response.status() != 403) {
            return response;
        }
        XmlDocument error = XmlDocument.read(Bytes.all(response.body()));
        return error.text("Code")
                .map(code -> response.body(
                        JSON, ServiceErrorBody.json(code, error.text("Message").orElse(""))))
                .orElse(response);
    }
}
