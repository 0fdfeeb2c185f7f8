package io.stowline.access.internal.policy;

import io.stowline.access.AccessPolicy;
import io.stowline.access.SasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.DefaultSasBuilder;
import io.stowline.access.internal.SasSigner;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.request.ExtraHeaders;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The operations on the stored access policies of one container, queue or table. What they give arrives on an I/O thread. Thread-safe.
 *
 * @param calls the operations of its service
 * @param requests the requests for its access control list
 * @param rules the rules for new policies
 * @param retry the retry settings
 */
public record PolicyOperations(DirectCalls calls, PolicyRequests requests, PolicyRules rules, RetrySettings retry) {

    /** The reads of a list that is to be changed, where others change the container at the same time. */
    private static final int MAX_TRIES = 3;

    /** Refuses the end of a builder that describes a policy. */
    public static final Function<Mono<SharedAccessSignature>, Void> UNSIGNED = signature -> {
        throw new IllegalStateException("a stored access policy is set and not signed: leave out sign()");
    };

    private static final String GONE = "it is not there now; another client may have removed it since";
    private static final String UNCHANGED = "the container has not been changed since it was read";
    private static final String OTHERS = "there are other policies, which may have been set since, or before";

    /** Returns the operations for one container, queue or table of the signer's service. */
    public static PolicyOperations of(SasSigner signer, String name, RetrySettings retry, ExtraHeaders headers) {
        return new PolicyOperations(
                DirectCalls.of(signer.pipeline()),
                new PolicyRequests(signer.service(), name, signer.endpoint() + "/" + name, headers),
                PolicyRules.of(signer.service(), name),
                retry);
    }

    /**
     * Describes a policy by a builder of signatures.
     *
     * @param builder a new one
     */
    static <B extends SasBuilder<?, ?>> AccessPolicy described(String id, B builder, UnaryOperator<B> settings) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(settings, "settings");
        if (settings.apply(builder) instanceof DefaultSasBuilder<?, ?> described) {
            return described.stored(id);
        }
        throw new IllegalArgumentException("settings must return the builder that it is given");
    }

    /**
     * A change of the list.
     *
     * @param applied applies it, or gives nothing where there is nothing to change
     * @param done whether a list has its effect
     */
    private record PolicyChange(
            String verb,
            Function<AccessControlList, Optional<AccessControlList>> applied,
            Predicate<AccessControlList> done) {}

    /** Reads all policies. */
    Mono<List<AccessPolicy>> list() {
        return calls.observed(
                "listPolicies",
                requests::resource,
                () -> requests.read("listPolicies", retry),
                (found, exchange) -> found.policies());
    }

    /** Sets one policy. */
    Mono<WriteResult> set(AccessPolicy policy) {
        AccessPolicy wanted = rules.checked(policy);
        return observed(
                new PolicyChange(
                        "setPolicy",
                        present -> Optional.of(rules.checked(present.with(wanted))),
                        seen -> seen.policies().contains(wanted)),
                true);
    }

    /** Removes one policy. Gives false if there was none. */
    Mono<Boolean> remove(String id) {
        Objects.requireNonNull(id, "id");
        return observed(new PolicyChange("removePolicy", present -> present.without(id), seen -> !seen.has(id)), true)
                .hasElement();
    }

    /** Replaces all policies. */
    Mono<WriteResult> replaceAll(List<AccessPolicy> policies) {
        List<AccessPolicy> wanted = rules.checked(policies);
        return observed(
                new PolicyChange("replacePolicies", present -> Optional.of(present.with(wanted)), seen -> new HashSet<>(
                                seen.policies())
                        .equals(new HashSet<>(wanted))),
                requests.versioned());
    }

    private Mono<WriteResult> observed(PolicyChange change, boolean reads) {
        Mono<WriteResult> work = Mono.defer(() -> {
            Deadline deadline = Deadline.in(retry.deadline(), calls.pipeline().timer());
            return reads ? readAndWrite(change, deadline, MAX_TRIES) : write(change, AccessControlList.EMPTY, deadline);
        });
        return calls.observer().operation(change.verb, requests::resource, work);
    }

    private Mono<WriteResult> readAndWrite(PolicyChange change, Deadline deadline, int tries) {
        return calls.observed(
                        change.verb,
                        requests::resource,
                        () -> requests.read(change.verb, retry).with(options -> options.until(deadline)),
                        (present, exchange) -> present)
                .flatMap(present -> write(change, present, deadline))
                .onErrorResume(e -> tries > 1 && isChangedSince(e), e -> readAndWrite(change, deadline, tries - 1));
    }

    private static boolean isChangedSince(Throwable end) {
        return end instanceof PreconditionFailedException failed
                && "ConditionNotMet".equals(failed.failure().errorCode());
    }

    private Mono<WriteResult> write(PolicyChange change, AccessControlList present, Deadline deadline) {
        return Mono.justOrEmpty(change.applied.apply(present))
                .flatMap(wanted -> calls.settled(
                        change.verb,
                        requests::resource,
                        () -> requests.write(change.verb, wanted, retry).with(options -> options.until(deadline)),
                        (etag, exchange) -> WriteResult.confirmed(
                                etag, calls.pipeline().unresolved(exchange).mayRepeat(Evidence.RESPONSE)),
                        (end, unresolved) -> settle(change, present, end, unresolved)));
    }

    private Mono<WriteResult> settle(
            PolicyChange change,
            AccessControlList present,
            OutcomeUnknownException end,
            UnresolvedAttempts unresolved) {
        RetrySettings settings = retry.forReadBack();
        Mono<ReadBackResult<WriteResult>> once = Mono.defer(() -> calls.pipeline()
                        .send(requests.read(change.verb, settings)
                                .with(options -> options.within(unresolved.deadline()))))
                .map(seen -> finding(change, present, seen, unresolved))
                .onErrorResume(NotFoundException.class, e -> Mono.just(new ReadBackResult.Unproven<>(GONE)))
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
        return OutcomeResolver.readBack(once, unresolved, settings.minAttempt())
                .flatMap(last -> OutcomeResolver.resolved(end, last));
    }

    private static ReadBackResult<WriteResult> finding(
            PolicyChange change, AccessControlList present, AccessControlList seen, UnresolvedAttempts unresolved) {
        if (change.done.test(seen)) {
            return new ReadBackResult.ProvenDone<>(
                    WriteResult.recovered("", Evidence.CONTENT, unresolved.mayRepeat(Evidence.CONTENT)));
        }
        return seen.isVersionOf(present)
                ? ReadBackResult.onceOver(unresolved, UNCHANGED)
                : new ReadBackResult.Unproven<>(OTHERS);
    }
}
