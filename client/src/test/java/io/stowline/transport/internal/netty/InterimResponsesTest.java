package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.stowline.Stowline;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.transport.internal.http.ResponseBounds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.NettyPipeline;

/** A server that sends something before its response. */
@Timeout(60)
class InterimResponsesTest {

    /** Responds to each write by 204 and an ETag that counts the writes, after these words. */
    private static ScriptedServer talkative(String before) throws IOException {
        return new ScriptedServer(received -> before + "HTTP/1.1 204 No Content\r\nx-ms-request-id: r-1\r\nETag: W/\""
                + (received.number() + 1) + "\"\r\n\r\n");
    }

    private static Entity entity(String row) {
        return Entity.builder("p", row).set("v", 1).build();
    }

    @ParameterizedTest
    @DisplayName(
            "OUTCOME-0: what a server says before its response is not taken for the response, and each write hears its"
                    + " own")
    @ValueSource(
            strings = {
                "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n",
                "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n",
                "HTTP/1.1 199 Own\r\nContent-Length: 0\r\n\r\n"
            })
    void respondsAreNotMixedUp(String before) throws IOException {
        try (ScriptedServer server = talkative(before);
                Stowline storage = server.client(0)) {
            Table<Entity> people = storage.table("people");

            for (int write = 1; write <= 5; write++) {
                WriteResult written = people.insert(entity("r" + write));
                assertThat(written.etag()).isEqualTo("W/\"" + write + "\"");
            }
        }
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a server that turns to another protocol has not answered, and its connection is not used again")
    void otherProtocol() throws IOException {
        String turn = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n";
        try (ScriptedServer server = talkative(turn);
                Stowline storage = server.client(0)) {
            Table<Entity> people = storage.table("people");

            for (int write = 1; write <= 3; write++) {
                Entity entity = entity("r" + write);
                assertThatThrownBy(() -> people.insertOrReplace(entity)).isInstanceOf(OutcomeUnknownException.class);
            }
        }
    }

    @Test
    @DisplayName("WORLD-4: a flood of interim responses ends the connection, and a few before each response do not")
    void flood() {
        String hint = "HTTP/1.1 103 Early Hints\r\n\r\n";
        String done = "HTTP/1.1 204 No Content\r\nx-ms-request-id: r-1\r\n\r\n";
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(NettyPipeline.HttpCodec, new HttpResponseDecoder());
        InterimResponses.watch(channel.pipeline());
        for (int i = 0; i < 3; i++) {
            channel.writeInbound(bytes(hint.repeat(ResponseBounds.INTERIM) + done));
        }
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.inboundMessages()).hasSize(6);

        channel.writeInbound(bytes(hint.repeat(ResponseBounds.INTERIM + 1)));
        assertThat(channel.isOpen()).isFalse();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
