package io.stowline.blob.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.PageRange;
import io.stowline.blob.internal.request.PageRequests.RangePage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of ranges in use, as the service writes them. */
class PageRequestsTest {

    private static RangePage page(String xml) throws IOException {
        return PageRequests.page(xml.getBytes(StandardCharsets.UTF_8));
    }

    private static String range(String name, long start, long end) {
        return "<" + name + "><Start>" + start + "</Start><End>" + end + "</End></" + name + ">";
    }

    @Test
    void clearedRangesAreNotInUse() throws IOException {
        assertThat(page("\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><PageList>" + range("ClearRange", 0, 511)
                        + range("PageRange", 512, 2047) + "<NextMarker>m &amp; n</NextMarker><New>1</New></PageList>"))
                .isEqualTo(new RangePage(List.of(new PageRange(512, 1536)), "m & n"));
        assertThat(page("<PageList />")).isEqualTo(new RangePage(List.of(), null));
        assertThat(page("<PageList><NextMarker /></PageList>")).isEqualTo(new RangePage(List.of(), null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<Other/>",
                "<PageList>",
                "<PageList><PageRange><Start>0</Start></PageRange></PageList>",
                "<PageList><PageRange><Start>512</Start><End>0</End></PageRange></PageList>",
                "<PageList><PageRange><Start>-1</Start><End>0</End></PageRange></PageList>"
            })
    void refusesNonsense(String xml) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> page(xml));
    }

    @Property(tries = 200)
    @Label("every list is read as it was written")
    void readsAll(@ForAll long seed, @ForAll @IntRange(max = 50) int count) throws IOException {
        Random random = new Random(seed);
        List<PageRange> ranges = new ArrayList<>();
        StringBuilder xml = new StringBuilder("<PageList>");
        long at = 0;
        for (int i = 0; i < count; i++) {
            at += 512L * random.nextInt(1 << 20);
            long length = 512L * (1 + random.nextInt(1 << 20));
            ranges.add(new PageRange(at, length));
            xml.append(range("PageRange", at, at + length - 1));
            at += length;
        }

        assertThat(page(xml.append("</PageList>").toString()).ranges()).isEqualTo(ranges);
    }
}
