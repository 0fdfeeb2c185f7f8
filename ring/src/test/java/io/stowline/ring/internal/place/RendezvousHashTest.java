package io.stowline.ring.internal.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.stowline.ring.RingAccount;
import io.stowline.ring.RingAccount.Membership;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RendezvousHashTest {

    private static final int PLACEMENTS = 10_000;
    /** Six standard deviations: a chance of 2 in a billion. */
    private static final double DEVIATIONS = 6;

    @Test
    @DisplayName("RING-1: the account of a placement never changes between versions")
    void isPinned() {
        RendezvousHash hash = new RendezvousHash(List.of(account("eu1", 1), account("eu2", 1), account("eu3", 2)));

        assertThat(RendezvousHash.first64Bits("")).isEqualTo(0xe3b0c44298fc1c14L);
        assertThat(RendezvousHash.first64Bits("eu1")).isEqualTo(0xa79cf96aaf0575e1L);
        assertThat(RendezvousHash.mix(1)).isEqualTo(0x5692161d100b05e5L);
        assertThat(RendezvousHash.unit(0)).isEqualTo(0x1.0p-53);
        assertThat(RendezvousHash.unit(-1)).isLessThan(1);
        assertThat(IntStream.range(0, 24)
                        .mapToObj(i -> hash.account("customer-" + i).name()))
                .containsExactly(
                        "eu2", "eu3", "eu1", "eu1", "eu3", "eu1", "eu1", "eu1", "eu3", "eu1", "eu3", "eu3", "eu1",
                        "eu3", "eu3", "eu3", "eu3", "eu3", "eu1", "eu3", "eu3", "eu2", "eu1", "eu1");
        assertThat(List.of("", "Käse", "東京", "🚲", "a\ud800b").stream()
                        .map(text -> hash.account(text).name()))
                .containsExactly("eu3", "eu3", "eu2", "eu1", "eu1");
    }

    @Test
    @DisplayName("RING-1: of 10,000 placements over 4 to 5 accounts a fifth moves, to the new account only")
    void aNewAccountTakesItsShare() {
        RendezvousHash four = new RendezvousHash(accounts(4));
        RendezvousHash five = new RendezvousHash(accounts(5));

        int moved = 0;
        for (int i = 0; i < PLACEMENTS; i++) {
            String before = four.account("placement-" + i).name();
            String after = five.account("placement-" + i).name();
            if (!before.equals(after)) {
                assertThat(after).isEqualTo("account4");
                moved++;
            }
        }

        assertThat((double) moved).isCloseTo(PLACEMENTS / 5.0, within(bound(PLACEMENTS, 1 / 5.0)));
    }

    @Property(tries = 50)
    void sharesAreThoseOfTheWeights(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 20) Integer> weights, @ForAll int seed) {
        List<RingAccount> accounts = IntStream.range(0, weights.size())
                .mapToObj(i -> account("acct" + i, weights.get(i)))
                .toList();
        RendezvousHash hash = new RendezvousHash(accounts);
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < PLACEMENTS; i++) {
            counts.merge(hash.account(seed + "/" + i).name(), 1, Integer::sum);
        }

        double sum = weights.stream().mapToInt(Integer::intValue).sum();
        for (RingAccount account : accounts) {
            double share = account.weight() / sum;
            assertThat((double) counts.getOrDefault(account.name(), 0))
                    .isCloseTo(PLACEMENTS * share, within(bound(PLACEMENTS, share) + 1));
        }
    }

    @Property(tries = 200)
    void theOrderOfAccountsDoesNotMatter(
            @ForAll @IntRange(min = 1, max = 20) int number, @ForAll String placement, @ForAll long seed) {
        List<RingAccount> shuffled = new ArrayList<>(accounts(number));
        Collections.shuffle(shuffled, new Random(seed));

        assertThat(new RendezvousHash(shuffled).account(placement))
                .isEqualTo(new RendezvousHash(accounts(number)).account(placement));
    }

    @Property(tries = 200)
    void aChangeOfOneAccountMovesPlacementsFromOrToItOnly(
            @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 1, max = 9) Integer> weights,
            @ForAll @IntRange(min = 1, max = 9) int weight,
            @ForAll String text) {
        List<RingAccount> accounts = new ArrayList<>(IntStream.range(0, weights.size())
                .mapToObj(i -> account("acct" + i, weights.get(i)))
                .toList());
        RendezvousHash before = new RendezvousHash(accounts);
        accounts.set(0, account("acct0", weight));
        RendezvousHash changed = new RendezvousHash(accounts);
        RendezvousHash without = new RendezvousHash(accounts.subList(1, accounts.size()));

        for (int i = 0; i < 50; i++) {
            String placement = text + i;
            String old = before.account(placement).name();
            if (weight >= weights.get(0)) {
                assertThat(changed.account(placement).name()).isIn(old, "acct0");
            } else if (!old.equals("acct0")) {
                assertThat(changed.account(placement).name()).isEqualTo(old);
            }
            if (!old.equals("acct0")) {
                assertThat(without.account(placement).name()).isEqualTo(old);
            }
        }
    }

    @Test
    void noAccountIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RendezvousHash(List.of()));
    }

    private static double bound(int number, double share) {
        return DEVIATIONS * Math.sqrt(number * share * (1 - share));
    }

    private static List<RingAccount> accounts(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> account("account" + i, 1))
                .toList();
    }

    private static RingAccount account(String name, int weight) {
        return new RingAccount(name, weight, "eu", Membership.STAYING);
    }
}
