package io.stowline.blob.internal.file;

import io.stowline.blob.internal.file.AtomicFile.LastSteps;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The file of one download, which is closed at the download's end, also if its opening ends later. Thread-safe. */
final class OwnedFile {

    private @Nullable ResumableFile file;
    private boolean over;

    /** Takes a file, unless the download has ended during the opening: then it is closed. */
    ResumableFile own(ResumableFile opened) throws IOException {
        if (!owns(opened)) {
            opened.close();
        }
        refuseEnded();
        return opened;
    }

    private synchronized boolean owns(ResumableFile opened) {
        file = over ? null : opened;
        return !over;
    }

    /** Returns the file, or {@code null} if none is open. */
    @Nullable
    synchronized ResumableFile opened() {
        return file;
    }

    private synchronized @Nullable ResumableFile taken() {
        ResumableFile had = file;
        file = null;
        return had;
    }

    /** Ends the download. */
    synchronized void end() {
        over = true;
    }

    /** Refuses to continue a download that has ended. */
    synchronized void refuseEnded() {
        if (over) {
            throw new CancellationException("the download was cancelled");
        }
    }

    /** Closes the file at any end of the download; deletes it if no part of it is of use. */
    boolean leave(boolean useless) throws IOException {
        end();
        ResumableFile left = taken();
        if (left != null && useless) {
            left.discard();
        } else if (left != null) {
            left.close();
        }
        return true;
    }

    /** Deletes the file. Does nothing if the download has ended, as its end closes the file. */
    boolean discard() throws IOException {
        ResumableFile found = taken();
        if (found != null) {
            found.discard();
        }
        return true;
    }

    /** Gives the file its name. */
    void complete(LastSteps last) throws IOException {
        ResumableFile whole = taken();
        if (whole == null) {
            refuseEnded();
            throw new IllegalStateException("the file of a download that goes on is gone");
        }
        try {
            whole.complete(last);
        } catch (IOException | RuntimeException e) {
            if (!owns(whole)) {
                whole.close();
            }
            throw e;
        }
    }
}
