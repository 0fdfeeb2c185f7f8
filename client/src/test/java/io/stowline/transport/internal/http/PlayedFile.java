package io.stowline.transport.internal.http;

import io.stowline.blob.internal.upload.FileBody;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Executor;

/** A file that lies in memory and is read when the test lets its disk work. Its counters are right for one thread only. */
public final class PlayedFile implements FileBody.FileBodySource {

    private final byte[] content;
    private final Queue<Runnable> disk = new ArrayDeque<>();
    private volatile int length;
    private int reads;
    private int checks;
    private volatile boolean changed;

    public PlayedFile(int length) {
        this.content = new byte[length];
        this.length = length;
        new Random(length).nextBytes(content);
    }

    /** A part of it, as a body. */
    public RequestBody body(int from, int length) {
        return new FileBody(this, from, length, disk::add);
    }

    /** All of it. */
    public RequestBody body() {
        return body(0, content.length);
    }

    /** All of it, read by other threads at once. */
    public RequestBody body(Executor threads) {
        return new FileBody(this, 0, content.length, threads);
    }

    public byte[] content() {
        return content;
    }

    /** Cuts the file. */
    public void truncate(int shorter) {
        length = shorter;
    }

    /** Replaces the file by another one. */
    public void change() {
        changed = true;
    }

    /** Returns the number of slices that were read. */
    public int reads() {
        return reads;
    }

    /** Returns the number of checks. */
    public int checks() {
        return checks;
    }

    /** Returns whether the disk has work. */
    public boolean waits() {
        return !disk.isEmpty();
    }

    /** The disk does what it has. */
    public void spin() {
        for (Runnable work = disk.poll(); work != null; work = disk.poll()) {
            work.run();
        }
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
        if (position + target.remaining() > length) {
            throw new IOException("the file was cut");
        }
        reads++;
        target.put(content, (int) position, target.remaining());
    }

    @Override
    public void check() throws IOException {
        checks++;
        if (changed) {
            throw new IOException("the file was modified");
        }
    }

    @Override
    public RuntimeException failure(IOException error) {
        return new UncheckedIOException("upload c/b: " + error.getMessage(), error);
    }
}
