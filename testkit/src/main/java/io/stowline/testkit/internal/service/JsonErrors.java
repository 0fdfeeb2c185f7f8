package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.ServiceErrorBody;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.strict.request.XmlError;
import java.io.IOException;

/** A stage that turns refusals of the table service into the JSON of the service, where the emulator sends XML. */
public final class JsonErrors implements Stage {

    private static final String JSON = "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";

    /** Makes the stage. */
    public JsonErrors() {}

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        StubResponse response = next.response(request);
        boolean refused = request.service() == StorageService.TABLE && response.status() == 403;
        return refused
                ? XmlError.of(response.body())
                        .map(error -> json(response, error))
                        .orElse(response)
                : response;
    }

    private static StubResponse json(StubResponse response, XmlError error) {
        return response.body(JSON, ServiceErrorBody.json(error.code(), error.message()));
    }
}
