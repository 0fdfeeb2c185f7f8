package io.stowline.blob.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.transfer.TransferMemory.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class TransferMemoryTest {

    private final TransferMemory memory = new TransferMemory(100);

    /** A wait whose end can be seen. */
    private static final class Wait {
        private final Disposable subscription;
        private boolean granted;
        private Throwable error;

        Wait(Share share, long bytes) {
            subscription = share.take(bytes).subscribe(done -> granted = true, e -> error = e);
        }
    }

    @Test
    @DisplayName("TRANSFER-3: what is there is taken at once, what is not there is waited for in order")
    void fifo() {
        Share one = memory.share();
        Share two = memory.share();
        Share three = memory.share();
        assertThat(new Wait(one, 60).granted).isTrue();
        Wait large = new Wait(two, 60);
        Wait small = new Wait(three, 10);
        assertThat(large.granted).isFalse();
        assertThat(small.granted).as("it does not overtake").isFalse();

        one.free(30);

        assertThat(large.granted).isTrue();
        assertThat(small.granted).isTrue();
        assertThat(memory.now()).isEqualTo(100);
        assertThat(memory.waiting()).isZero();
    }

    @Test
    void moreThanThereIsWaitsUntilNothingIsHeld() {
        Share one = memory.share();
        assertThat(one.tryTake(1)).isTrue();
        Wait large = new Wait(memory.share(), 500);
        assertThat(large.granted).isFalse();
        one.close();
        assertThat(large.granted).isTrue();
    }

    @Test
    void nothingOvertakesAWait() {
        Share one = memory.share();
        one.force(90);
        Wait wait = new Wait(memory.share(), 50);
        assertThat(memory.share().tryTake(1)).isFalse();
        wait.subscription.dispose();
        assertThat(memory.share().tryTake(1)).isTrue();
    }

    @Test
    void aCancelledWaitLetsTheNextOneThrough() {
        Share one = memory.share();
        one.force(90);
        Wait large = new Wait(memory.share(), 50);
        Wait small = new Wait(memory.share(), 10);
        large.subscription.dispose();
        assertThat(small.granted).isTrue();
        assertThat(memory.waiting()).isZero();
    }

    @Test
    void aClosedShareHoldsNothingAndWaitsForNothing() {
        Share one = memory.share();
        one.force(100);
        Share two = memory.share();
        Wait wait = new Wait(two, 10);
        two.close();
        assertThat(wait.error).isInstanceOf(CancellationException.class);
        one.close();
        one.free(7);
        one.force(7);
        assertThat(memory.now()).isZero();
        Wait late = new Wait(one, 1);
        assertThat(late.error).isInstanceOf(CancellationException.class);
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: a transfer that waits for its caller gives up its memory when others wait")
    void givesUp() {
        AtomicInteger called = new AtomicInteger();
        List<Share> slow = new ArrayList<>();
        slow.add(memory.share(() -> {
            called.incrementAndGet();
            slow.get(0).free(80);
        }));
        assertThat(slow.get(0).tryTake(80)).isTrue();
        Wait other = new Wait(memory.share(), 50);
        assertThat(other.granted).isTrue();
        assertThat(called).hasValue(1);
        assertThat(memory.now()).isEqualTo(50);
    }

    @Test
    void noTransferYieldsWhileThereIsRoom() {
        AtomicInteger called = new AtomicInteger();
        Share slow = memory.share(called::incrementAndGet);
        slow.force(50);
        assertThat(new Wait(memory.share(), 50).granted).isTrue();
        assertThat(called).hasValue(0);
    }

    @Property(tries = 300)
    void neverMoreThanThereIsAndIdleMeansAdmitting(@ForAll Random random) {
        TransferMemory all = new TransferMemory(64);
        List<Share> shares = new ArrayList<>();
        List<Wait> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            shares.add(all.share());
        }
        for (int step = 0; step < 200; step++) {
            Share share = shares.get(random.nextInt(shares.size()));
            switch (random.nextInt(4)) {
                case 0 -> waits.add(new Wait(share, 1 + random.nextInt(64)));
                case 1 -> share.free(share.reservedBytes() == 0 ? 0 : 1 + random.nextInt((int) share.reservedBytes()));
                case 2 -> {
                    if (!waits.isEmpty()) {
                        waits.get(random.nextInt(waits.size())).subscription.dispose();
                    }
                }
                default -> share.tryTake(1 + random.nextInt(16));
            }
            assertThat(all.now()).isBetween(0L, 64L);
            if (all.now() == 0) {
                assertThat(all.waiting()).as("idle means admitting").isZero();
            }
        }
        shares.forEach(Share::close);
        assertThat(all.now()).isZero();
        assertThat(all.waiting()).isZero();
    }

    @Test
    @DisplayName(
            "TRANSFER-3: what paused readers keep is bounded for all together, and those that paused first drop theirs")
    void keepsSoMuch() {
        List<String> dropped = new ArrayList<>();
        List<Share> readers = Stream.of("a", "b", "c", "d")
                .map(name -> memory.share(() -> {}, () -> dropped.add(name)))
                .toList();
        for (Share reader : readers.subList(0, 3)) {
            reader.keep(20).forEach(Runnable::run);
        }
        assertThat(dropped).containsExactly("a");
        assertThat(memory.kept()).isEqualTo(40);

        readers.get(1).unkeep();
        readers.get(1).keep(10).forEach(Runnable::run);
        readers.get(3).keep(40).forEach(Runnable::run);

        assertThat(dropped).containsExactly("a", "c");
        assertThat(memory.kept()).isEqualTo(50).isEqualTo(memory.maxKept());
        readers.forEach(Share::close);
        assertThat(memory.kept()).isZero();
        assertThat(readers.get(0).keep(1)).isEmpty();
        assertThat(memory.kept()).as("of a reader that is closed").isZero();
    }
}
