package io.stowline.ring.internal.place;

import io.stowline.outcome.ItemResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
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
        return results(ResultReader.stream(ends, all).toList());
    }

    /**
     * Does blocking work in one account after the other.
     *
     * @param work does the work of an account
     * @throws RuntimeException the first failure, which names its account; the others are suppressed in it
     */
    public static void inTurn(Collection<RingMember> members, Consumer<RingMember> work) {
        List<ItemResult<RingMember, Boolean>> ends = new ArrayList<>();
        for (RingMember member : members) {
            try {
                work.accept(member);
                ends.add(new ItemResult<>(member, true, null));
            } catch (RuntimeException e) {
                ends.add(new ItemResult<>(member, null, member.named(e)));
            }
        }
        results(ends);
    }

    private static <R> List<R> results(List<ItemResult<RingMember, R>> results) {
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
