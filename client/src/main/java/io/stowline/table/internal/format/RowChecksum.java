package io.stowline.table.internal.format;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A checksum of rows that does not depend on their order: the SHA-256 of each line, added up in four lanes modulo 2^64. Each changed bit of
 * a row changes it. It finds accidents, and is no proof against an attacker. Not thread-safe.
 */
public final class RowChecksum {

    private static final int LANES = 4;

    private final MessageDigest digest = sha256();
    private final byte[] hash = new byte[LANES * Long.BYTES];
    private final long[] lanes = new long[LANES];

    /** Adds a row, in the form of {@link EntityLines#line}. */
    public void add(byte[] line) {
        ByteBuffer sum = hash(line);
        for (int i = 0; i < LANES; i++) {
            lanes[i] += sum.getLong();
        }
    }

    /** Removes a row that was added. */
    public void remove(byte[] line) {
        ByteBuffer sum = hash(line);
        for (int i = 0; i < LANES; i++) {
            lanes[i] -= sum.getLong();
        }
    }

    private ByteBuffer hash(byte[] line) {
        try {
            digest.update(line);
            digest.digest(hash, 0, hash.length);
            return ByteBuffer.wrap(hash);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 has 32 bytes", e);
        }
    }

    /** Adds all rows of another sum. */
    public void add(RowChecksum other) {
        for (int i = 0; i < LANES; i++) {
            lanes[i] += other.lanes[i];
        }
    }

    /** Adds all rows of another sum, given as its text; an empty text has none. */
    public void add(String hex) {
        if (!hex.isEmpty()) {
            ByteBuffer other = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
            for (int i = 0; i < LANES; i++) {
                lanes[i] += other.getLong();
            }
        }
    }

    /** Returns the sum as 64 hexadecimal digits. */
    @Override
    public String toString() {
        ByteBuffer bytes = ByteBuffer.allocate(LANES * Long.BYTES);
        for (long lane : lanes) {
            bytes.putLong(lane);
        }
        return HexFormat.of().formatHex(bytes.array());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }
}
