package io.stowline.transport.internal.netty.direct;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The bytes that a server sends in response to one request, made from a seed: valid ones, and damaged ones. */
final class ResponseStream {

    private static final int[] STATUSES = {200, 200, 200, 201, 202, 204, 206, 304, 400, 404, 409, 412, 500, 503};
    private static final int[] INTERIM = {100, 102, 103, 103, 199};
    private static final String[] NAMES = {
        "ETag",
        "x-ms-request-id",
        "Date",
        "A",
        "a",
        "Server",
        "x-ms-meta-Color",
        "Content-Type",
        "Via",
        "Trailer",
        "X_1.2~"
    };
    private static final String[] VALUES = {
        "",
        "1",
        "\"0x8D\"",
        "W/\"datetime'2026'\"",
        "text/plain; charset=utf-8",
        "a,b",
        "x\ty",
        "ü",
        "a  b",
        "HTTP/1.1 gateway",
        "/path"
    };
    private static final String[] CONNECTION = {"close", "keep-alive", "Close , x", "x,CLOSE", "upgrade"};
    private static final String[] ODD = {
        " ",
        "\t",
        "\r",
        "\n",
        "\r\n",
        ":",
        ";",
        "/",
        ",",
        "\0",
        "\u007f",
        "\u0080",
        "\u000b",
        "\u001c",
        "0",
        "F",
        "HTTP/1.1 ",
        "-",
        "+",
        "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n",
        "\r\n\r\n",
        " folded\r\n"
    };

    private final SplittableRandom random;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final boolean bodiless;

    ResponseStream(long seed) {
        this.random = new SplittableRandom(seed);
        this.bodiless = random.nextInt(8) == 0;
        compose();
    }

    /** Returns whether the response to the request has no body. */
    boolean bodiless() {
        return bodiless;
    }

    /** All bytes, damaged in every second stream. */
    byte[] bytes() {
        byte[] all = bytes.toByteArray();
        int damages = random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(3);
        for (int i = 0; i < damages; i++) {
            all = damaged(all);
        }
        return all;
    }

    /** Pieces of the bytes, cut anywhere. */
    List<byte[]> cut(byte[] all) {
        List<byte[]> pieces = new ArrayList<>();
        int max = random.nextInt(3) == 0 ? 3 : 1 + random.nextInt(Math.max(1, all.length));
        for (int at = 0; at < all.length; ) {
            int length = Math.min(all.length - at, 1 + random.nextInt(max));
            pieces.add(slice(all, at, at + length));
            at += length;
        }
        return pieces;
    }

    private void compose() {
        int interim = random.nextInt(4) > 0 ? 0 : random.nextInt(20) == 0 ? random.nextInt(40) : 1 + random.nextInt(3);
        for (int i = 0; i < interim; i++) {
            statusLine(INTERIM[random.nextInt(INTERIM.length)]);
            headers(random.nextInt(3));
            text("\r\n");
        }
        statusLine(random.nextInt(60) == 0 ? 101 : STATUSES[random.nextInt(STATUSES.length)]);
        headers(random.nextInt(6));
        int form = random.nextInt(10);
        if (form < 4) {
            int length = random.nextInt(40);
            lengthHeader(length);
            headers(random.nextInt(2));
            text("\r\n");
            content(length);
        } else if (form < 9) {
            field("Transfer-Encoding", random.nextBoolean() ? "chunked" : "Chunked");
            if (random.nextInt(10) == 0) {
                lengthHeader(random.nextInt(9));
            }
            text("\r\n");
            chunks();
        } else {
            text("\r\n");
            content(random.nextInt(40));
        }
        if (random.nextInt(4) == 0) {
            text("HTTP/1.1 500 Behind\r\nContent-Length: 0\r\n\r\n");
        }
    }

    private void statusLine(int status) {
        String version = random.nextInt(10) == 0 ? "HTTP/1.0 " : "HTTP/1.1 ";
        String reason =
                switch (random.nextInt(6)) {
                    case 0 -> "";
                    case 1 -> " ";
                    case 2 -> " Not  so / well";
                    default -> " OK";
                };
        text(version + status + reason + "\r\n");
    }

    private void headers(int count) {
        for (int i = 0; i < count; i++) {
            if (random.nextInt(8) == 0) {
                field("Connection", CONNECTION[random.nextInt(CONNECTION.length)]);
            } else {
                field(NAMES[random.nextInt(NAMES.length)], VALUES[random.nextInt(VALUES.length)]);
            }
        }
    }

    private void lengthHeader(int length) {
        field("Content-Length", Integer.toString(length));
        if (random.nextInt(12) == 0) {
            field("content-length", Integer.toString(random.nextInt(3) == 0 ? length + 1 : length));
        }
    }

    private void field(String name, String value) {
        text(name + ":" + blanks() + value + blanks() + "\r\n");
        while (random.nextInt(10) == 0) {
            text((random.nextBoolean() ? " " : "\t") + blanks() + VALUES[random.nextInt(VALUES.length)] + blanks()
                    + "\r\n");
        }
    }

    private String blanks() {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> "\t ";
            case 2 -> "  ";
            default -> " ";
        };
    }

    private void chunks() {
        for (int i = random.nextInt(5); i > 0; i--) {
            int length = 1 + random.nextInt(20);
            String size = Integer.toHexString(length);
            text((random.nextBoolean() ? size : "0" + size.toUpperCase(Locale.ROOT)) + extension() + "\r\n");
            content(length);
            text("\r\n");
        }
        text("0" + extension() + "\r\n");
        headers(random.nextInt(6) == 0 ? random.nextInt(3) : 0);
        text("\r\n");
    }

    private String extension() {
        return switch (random.nextInt(10)) {
            case 0 -> ";name=value";
            case 1 -> " ; a=\"b\"";
            case 2 -> "  ";
            default -> "";
        };
    }

    private void content(int length) {
        for (int i = 0; i < length; i++) {
            bytes.write(random.nextInt(8) == 0 ? "\r\n:;0 H".charAt(random.nextInt(7)) : random.nextInt(256));
        }
    }

    private void text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private byte[] damaged(byte[] all) {
        if (all.length < 2) {
            return all;
        }
        int at = random.nextInt(all.length);
        int end = Math.min(all.length, at + 1 + random.nextInt(8));
        byte[] odd = ODD[random.nextInt(ODD.length)].getBytes(StandardCharsets.ISO_8859_1);
        return switch (random.nextInt(6)) {
            case 0 -> slice(all, 0, at);
            case 1 -> joined(slice(all, 0, at), slice(all, end, all.length));
            case 2 -> joined(slice(all, 0, end), slice(all, at, all.length));
            case 3 -> joined(slice(all, 0, at), odd, slice(all, end, all.length));
            default -> joined(slice(all, 0, at), odd, slice(all, at, all.length));
        };
    }

    private static byte[] slice(byte[] all, int from, int to) {
        return Arrays.copyOfRange(all, from, to);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }
}
