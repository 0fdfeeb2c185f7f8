package io.stowline.blob.internal.page;

import io.stowline.blob.PageRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The runs of pages with data in a piece of a file. Stateless. */
final class PageRuns {

    /** The pages of a gap that costs less to send than a further request: 64 KiB. */
    static final int GAP = (64 << 10) / PageRules.PAGE;

    private static final byte[] ZEROS = new byte[PageRules.PAGE];

    private PageRuns() {}

    /** Returns the runs in their order, by positions in the piece; each begins and ends with a page that has data. */
    static List<PageRange> of(byte[] piece) {
        List<PageRange> runs = new ArrayList<>();
        int pages = piece.length / PageRules.PAGE;
        int begin = -1;
        int last = -1;
        for (int page = 0; page < pages; page++) {
            if (isZero(piece, page)) {
                continue;
            }
            if (begin >= 0 && page - last > GAP) {
                runs.add(run(begin, last));
                begin = page;
            }
            begin = begin < 0 ? page : begin;
            last = page;
        }
        if (begin >= 0) {
            runs.add(run(begin, last));
        }
        return runs;
    }

    private static boolean isZero(byte[] piece, int page) {
        int from = page * PageRules.PAGE;
        return Arrays.equals(piece, from, from + PageRules.PAGE, ZEROS, 0, PageRules.PAGE);
    }

    private static PageRange run(int first, int last) {
        return new PageRange((long) first * PageRules.PAGE, (last - first + 1L) * PageRules.PAGE);
    }
}
