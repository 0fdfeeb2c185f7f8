package io.stowline.benchmarks.side.stub;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PartCountTest {

    @Property(tries = 200)
    @Label("the number of operations does not depend on the pieces that a body comes in")
    void countsInAnyPieces(
            @ForAll @IntRange(min = 1, max = 100) int operations,
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 300) Integer> pieces) {
        ByteBuf body = Unpooled.copiedBuffer(body(operations), StandardCharsets.US_ASCII);
        PartCount count = new PartCount();

        for (int i = 0; body.isReadable(); i++) {
            int end = Math.min(body.writerIndex(), body.readerIndex() + pieces.get(i % pieces.size()));
            count.take(body, end);
            body.readerIndex(end);
        }

        assertThat(count.operations()).isEqualTo(operations);
    }

    @Test
    void beginsAnewForTheNextBody() {
        PartCount count = new PartCount();
        take(count, body(5));
        count.clear();
        take(count, body(2));

        assertThat(count.operations()).isEqualTo(2);
    }

    @Test
    void takesNoTextForABoundary() {
        PartCount count = new PartCount();
        take(count, "a --changeset_1\n-\n--change\n--batch_1\n");

        assertThat(count.operations()).isZero();
    }

    private static void take(PartCount count, String text) {
        ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
        count.take(bytes, bytes.writerIndex());
    }

    private static String body(int operations) {
        return "--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n"
                + ("--changeset_1\r\nContent-Type: application/http\r\n\r\nPUT http://h/t(PartitionKey='a',RowKey='b') HTTP/1.1"
                                + "\r\n\r\n{\"x\":\"--changeset_1\"}\r\n")
                        .repeat(operations)
                + "--changeset_1--\r\n--batch_1--\r\n";
    }
}
