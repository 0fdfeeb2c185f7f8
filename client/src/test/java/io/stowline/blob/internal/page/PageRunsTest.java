package io.stowline.blob.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.PageRange;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The runs of pages with data. */
class PageRunsTest {

    private static final int PAGE = PageRules.PAGE;

    private static byte[] piece(int pages, int... withData) {
        byte[] piece = new byte[pages * PAGE];
        for (int page : withData) {
            piece[page * PAGE + 100] = 1;
        }
        return piece;
    }

    private static PageRange pages(int first, int count) {
        return new PageRange((long) first * PAGE, (long) count * PAGE);
    }

    @Test
    void shortGapsAreSentAlong() {
        int gap = PageRuns.GAP;

        assertThat(PageRuns.of(piece(1000))).isEmpty();
        assertThat(PageRuns.of(piece(1000, 3))).containsExactly(pages(3, 1));
        assertThat(PageRuns.of(piece(1000, 0, 999))).containsExactly(pages(0, 1), pages(999, 1));
        assertThat(PageRuns.of(piece(1000, 5, 5 + gap))).containsExactly(pages(5, gap + 1));
        assertThat(PageRuns.of(piece(1000, 5, 6 + gap))).containsExactly(pages(5, 1), pages(6 + gap, 1));
        assertThat(PageRuns.of(new byte[0])).isEmpty();
    }

    @Property(tries = 300)
    @Label("all data is in a run, runs begin and end with data and are further apart than a short gap")
    void runsHaveAllData(@ForAll long seed, @ForAll @IntRange(min = 1, max = 1200) int count, @ForAll boolean dense) {
        byte[] piece = new byte[count * PAGE];
        Random random = new Random(seed);
        for (int i = 0; i < (dense ? count : 1 + count / 100); i++) {
            piece[random.nextInt(piece.length)] = (byte) (1 + random.nextInt(100));
        }

        List<PageRange> runs = PageRuns.of(piece);

        byte[] left = piece.clone();
        long end = Long.MIN_VALUE / 2;
        for (PageRange run : runs) {
            assertThat(run.offset() - end).isGreaterThanOrEqualTo((long) PageRuns.GAP * PAGE);
            assertThat(hasData(piece, run.offset())).isTrue();
            assertThat(hasData(piece, run.end() - PAGE)).isTrue();
            Arrays.fill(left, (int) run.offset(), (int) run.end(), (byte) 0);
            end = run.end();
        }
        assertThat(left).isEqualTo(new byte[piece.length]);
    }

    private static boolean hasData(byte[] piece, long page) {
        for (int i = 0; i < PAGE; i++) {
            if (piece[(int) page + i] != 0) {
                return true;
            }
        }
        return false;
    }
}
