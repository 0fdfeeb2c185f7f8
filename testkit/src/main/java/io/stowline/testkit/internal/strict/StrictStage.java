package io.stowline.testkit.internal.strict;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.strict.access.AccessPolicyCheck;
import io.stowline.testkit.internal.strict.access.AuthorizationCheck;
import io.stowline.testkit.internal.strict.access.CorsCheck;
import io.stowline.testkit.internal.strict.access.MethodCheck;
import io.stowline.testkit.internal.strict.access.SasCheck;
import io.stowline.testkit.internal.strict.blob.BlobConditionCheck;
import io.stowline.testkit.internal.strict.blob.BlobNameCheck;
import io.stowline.testkit.internal.strict.blob.BlockCheck;
import io.stowline.testkit.internal.strict.blob.PageBlobs;
import io.stowline.testkit.internal.strict.queue.QueueCheck;
import io.stowline.testkit.internal.strict.request.StrictRequest;
import io.stowline.testkit.internal.strict.rule.RefusedException;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.strict.table.BatchCheck;
import io.stowline.testkit.internal.strict.table.EntityCheck;
import io.stowline.testkit.internal.strict.table.QueryCheck;
import io.stowline.testkit.internal.strict.table.TableNameCheck;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A stage that refuses requests as the service does, and passes on all others. Requests of no known service pass.
 * Thread-safe.
 */
public final class StrictStage implements Stage {

    private final Rulebook rules;
    private final Clock clock;
    private final Consumer<StrictRule> listener;
    private final PageBlobs pages = new PageBlobs();
    private final Map<StorageService, List<StrictCheck>> checks;

    /**
     * Makes the stage.
     *
     * @param rules the rules in force
     * @param clock the service's clock
     * @param listener is notified of each refusal before it is answered
     */
    public StrictStage(Rulebook rules, Clock clock, Consumer<StrictRule> listener) {
        this.rules = rules;
        this.clock = clock;
        this.listener = listener;
        this.checks = checks(clock, pages);
    }

    private static Map<StorageService, List<StrictCheck>> checks(Clock clock, PageBlobs pages) {
        StrictCheck authorization = new AuthorizationCheck(clock);
        StrictCheck sas = new SasCheck();
        StrictCheck cors = new CorsCheck();
        StrictCheck policies = new AccessPolicyCheck();
        StrictCheck entity = new EntityCheck();
        return Map.of(
                StorageService.TABLE,
                List.of(
                        authorization,
                        sas,
                        cors,
                        policies,
                        new MethodCheck(),
                        new QueryCheck(),
                        new TableNameCheck(),
                        entity,
                        new BatchCheck(entity)),
                StorageService.QUEUE,
                List.of(authorization, sas, cors, policies, new QueueCheck()),
                StorageService.BLOB,
                List.of(
                        authorization,
                        sas,
                        cors,
                        policies,
                        new BlobNameCheck(),
                        new BlobConditionCheck(),
                        new BlockCheck(),
                        pages));
    }

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        StorageService service = request.service();
        if (service == null) {
            return next.response(request);
        }
        StrictRequest call = StrictRequest.of(request, service);
        try {
            check(request, call);
        } catch (RefusedException e) {
            listener.accept(e.rule());
            return RefusalResponse.of(request, service, e, clock.instant());
        }
        StubResponse response = next.response(request);
        if (service == StorageService.BLOB && response.status() < 300) {
            pages.learn(call);
        }
        return response;
    }

    private void check(SentRequest request, StrictRequest call) {
        if (call.service() != StorageService.TABLE && !call.isRead()) {
            MetadataCheck.check(call.service(), request.headerLines(), rules);
        }
        for (StrictCheck check : checks.getOrDefault(call.service(), List.of())) {
            check.check(call, rules);
        }
    }
}
