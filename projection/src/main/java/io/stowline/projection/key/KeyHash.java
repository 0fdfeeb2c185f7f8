package io.stowline.projection.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The bucket of a key: CRC-32C of the UTF-8 bytes of the rest, modulo the number of buckets, in three digits. */
record KeyHash(int buckets) {

    static final int MAX_BUCKETS = 1_000;
    static final int DIGITS = 3;

    KeyHash {
        if (buckets < 1 || buckets > MAX_BUCKETS) {
            throw new IllegalArgumentException("buckets is 1 to " + MAX_BUCKETS + ", not " + buckets);
        }
    }

    String of(String rest) {
        CRC32C crc = new CRC32C();
        crc.update(rest.getBytes(UTF_8));
        return KeyDigits.of(crc.getValue() % buckets, DIGITS);
    }

    Stream<String> all() {
        return IntStream.range(0, buckets).mapToObj(bucket -> KeyDigits.of(bucket, DIGITS));
    }
}
