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
    public StubResponse answer(SentRequest request, Next next) throws IOException {
        StubResponse answer = next.answer(request);
        boolean refused = request.service() == StorageService.TABLE && answer.status() == 403;
        return refused
                ? XmlError.of(answer.body()).map(error -> json(answer, error)).orElse(answer)
                : answer;
    }

    private static StubResponse json(StubResponse answer, XmlError error) {
        return answer.body(JSON, ServiceErrorBody.json(error.code(), error.message()));
    }
}
