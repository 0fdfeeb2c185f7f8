package io.stowline.ring.internal.place;

import io.stowline.outcome.ItemResult;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work that begins in several accounts at once. One that fails ends none of the others. */
public final class AccountWork {

    private AccountWork() {}

    /**
     * Does the work in all accounts and waits for its ends.
     *
     * @param work gives the work of an account, which has exactly one result
     * @return the results, in the order of the accounts
     * @throws RuntimeException the first failure in this order, which names its account; the others are suppressed in it
     */
    public static <R> List<R> onEach(Collection<RingMember> members, Function<RingMember, Mono<R>> work) {
        int all = Math.max(1, members.size());
        Flux<ItemResult<RingMember, R>> ends = Flux.fromIterable(members)
                .flatMapSequential(
                        member -> Mono.defer(() -> work.apply(member))
                                .map(result -> new ItemResult<RingMember, R>(member, result, null))
                                .onErrorResume(
                                        failure -> Mono.just(new ItemResult<>(member, null, member.named(failure)))),
                        all,
                        1);
        List<ItemResult<RingMember, R>> results = ResultReader.stream(ends, all).toList();
        results.stream().filter(end -> !end.succeeded()).findFirst().ifPresent(first -> fail(first, results));
        return results.stream().map(ItemResult::get).toList();
    }

    private static <R> void fail(ItemResult<RingMember, R> first, List<ItemResult<RingMember, R>> results) {
        for (ItemResult<RingMember, R> other : results) {
            if (other.error() != null && first.error() != null && other.error() != first.error()) {
                first.error().addSuppressed(other.error());
            }
        }
        first.get();
    }
}
