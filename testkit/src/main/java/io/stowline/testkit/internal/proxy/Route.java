package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import java.io.IOException;
import java.util.List;

/** The stages of a service, outermost first, and the service itself at their end. */
record Route(List<Stage> stages, Stage.Next service) implements Stage.Next {

    @Override
    public StubResponse response(SentRequest request) throws IOException {
        return stages.isEmpty()
                ? service.response(request)
                : stages.get(0).response(request, new Route(stages.subList(1, stages.size()), service));
    }
}
