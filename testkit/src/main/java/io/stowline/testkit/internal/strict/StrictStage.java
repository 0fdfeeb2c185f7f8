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
import io.stowline.testkit.internal.strict.access.ServicePropertiesCheck;
import io.stowline.testkit.internal.strict.rule.RefusedException;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.strict.table.BatchCheck;
import io.stowline.testkit.internal.strict.table.EntityCheck;
import io.stowline.testkit.internal.strict.table.QueryCheck;
import io.stowline.testkit.internal.strict.table.TableNameCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

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
     * @param listener receives each refusal before it is sent
     */
    public StrictStage(Rulebook rules, Clock clock, Consumer<StrictRule> listener) {
        this.rules = rules;
        this.clock = clock;
        this.listener = listener;
        this.checks = checks(clock, pages);
    }

    private static Map<StorageService, List<StrictCheck>> checks(Clock clock, PageBlobs pages) {
        List<StrictCheck> all = List.of(
                new AuthorizationCheck(clock),
                new SasCheck(),
                new CorsCheck(),
                new ServicePropertiesCheck(),
                new AccessPolicyCheck());
        StrictCheck entity = new EntityCheck();
        StrictCheck metadata = new MetadataCheck();
        return Map.of(
                StorageService.TABLE,
                joined(all, new MethodCheck(), new QueryCheck(), new TableNameCheck(), entity, new BatchCheck(entity)),
                StorageService.QUEUE,
                joined(all, metadata, new QueueCheck()),
                StorageService.BLOB,
                joined(
                        all,
                        metadata,
                        new BlobNameCheck(),
                        new BlobConditionCheck(),
                        new BlockCheck(),
                        new CopyCheck(),
                        pages));
    }

    private static List<StrictCheck> joined(List<StrictCheck> all, StrictCheck... more) {
        return Stream.concat(all.stream(), Stream.of(more)).toList();
    }

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        StorageService service = request.service();
        if (service == null) {
            return next.response(request);
        }
        StorageRequest parsed = StorageRequest.of(request, service);
        try {
            check(parsed);
        } catch (RefusedException e) {
            listener.accept(e.rule());
            return RefusalResponse.of(request, service, e, clock.instant());
        }
        StubResponse response = next.response(request);
        if (service == StorageService.BLOB && response.status() < 300) {
            pages.learn(parsed);
        }
        return response;
    }

    private void check(StorageRequest request) {
        for (StrictCheck check : checks.getOrDefault(request.service(), List.of())) {
            check.check(request, rules);
        }
    }
}
