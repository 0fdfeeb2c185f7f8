package io.stowline.system.recordings;

import io.stowline.Stowline;
import io.stowline.access.AccessPolicies;
import io.stowline.access.AccessPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Verbs of stored access policies that can meet the recorded responses of all services. */
final class PolicyReplays {

    private static final String ABSENT = "none of theirs";

    /** The list of a container, which is read before it is replaced. */
    private static final CannedResponse READ = CannedResponse.of(200, "<SignedIdentifiers />")
            .with("Content-Type", "application/xml")
            .with("ETag", "\"0x8D6D4193\"")
            .with("Last-Modified", "Fri, 10 Nov 2017 02:43:23 GMT");

    private PolicyReplays() {}

    static ReplayPlan of(ServiceRecording recording, Function<Stowline, AccessPolicies<?>> holder) {
        return recording.method().equals("PUT") ? setting(recording, holder) : reading(recording, holder);
    }

    private static ReplayPlan reading(ServiceRecording recording, Function<Stowline, AccessPolicies<?>> holder) {
        VerbOutcome refusal = VerbOutcome.refusal(recording);
        return ReplayPlan.of(
                Replay.of(
                                recording,
                                "AccessPolicies.list",
                                storage -> holder.apply(storage).list(),
                                recording.isError()
                                        ? refusal
                                        : VerbOutcome.of(
                                                policies(recording.response().body())))
                        .sending(0, recording),
                Replay.of(
                                recording,
                                "AccessPolicies.remove",
                                storage -> holder.apply(storage).remove(ABSENT),
                                recording.isError() ? refusal : VerbOutcome.of(false))
                        .sending(0, recording));
    }

    private static ReplayPlan setting(ServiceRecording recording, Function<Stowline, AccessPolicies<?>> holder) {
        Replay replay = Replay.of(
                recording,
                "AccessPolicies.replaceAll",
                storage -> {
                    holder.apply(storage).replaceAll(List.of()).outcome();
                    return null;
                },
                recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.NOTHING);
        if (!recording.service().equals("blob")) {
            return ReplayPlan.of(replay.sending(0, recording));
        }
        Replay second = replay.after(READ).sending(1, recording);
        CannedResponse refusal = recording.response();
        return ReplayPlan.of(recording.status() == 412 ? second.before(READ, refusal, READ, refusal) : second);
    }

    private static List<AccessPolicy> policies(byte[] body) {
        return XmlTree.of(body).children().stream()
                .map(identifier -> {
                    Optional<XmlTree> policy = Optional.ofNullable(identifier.child("AccessPolicy"));
                    return new AccessPolicy(
                            Objects.requireNonNull(identifier.text("Id")),
                            text(policy, "Permission").orElse(""),
                            text(policy, "Start").map(Instant::parse),
                            text(policy, "Expiry").map(Instant::parse));
                })
                .toList();
    }

    private static Optional<String> text(Optional<XmlTree> policy, String name) {
        return policy.map(element -> element.text(name));
    }
}
