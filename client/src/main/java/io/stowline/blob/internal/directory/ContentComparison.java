package io.stowline.blob.internal.directory;

import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.folder.DiskWork;
import io.stowline.blob.internal.folder.TimeResolution;
import io.stowline.blob.internal.operations.ListedBlob;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;

/**
 * The comparison of a blob with a file, or of two blobs, as deep as the settings require. Unknown counts as different.
 * Stateless.
 */
final class ContentComparison {

    private static final int BUFFER = 64 * 1024;

    private ContentComparison() {}

    /** Returns whether both were modified in the same millisecond and have the same size. */
    static boolean sameTime(ListedBlob blob, long size, Instant modified) {
        return sameTime(blob, size, modified, TimeResolution.EXACT);
    }

    /** Returns whether both have the same size, and the file has the blob's time as far as its file system keeps it. */
    static boolean sameTime(ListedBlob blob, long size, Instant modified, TimeResolution times) {
        return blob.size() == size && times.same(blob.modified(), modified);
    }

    /** Returns whether a file has the time of a blob whose expanded size is unknown, as far as its file system keeps it. */
    static boolean sameTimeOnly(ListedBlob blob, Instant modified, TimeResolution times) {
        return times.same(blob.modified(), modified);
    }

    /** Returns whether a file has the size and the MD5 of a blob; reads the file. */
    static boolean sameContent(ListedBlob blob, long size, DiskWork<InputStream> file) throws IOException {
        return blob.size() == size
                && blob.contentMd5() != null
                && blob.contentMd5().equals(md5(file));
    }

    /**
     * Returns whether a blob and its copy have the same size and MD5, or the same size and the time of one file. A copy
     * that was compressed on its way is compared by its content before that.
     */
    static boolean same(boolean byMd5, ListedBlob source, ListedBlob copy) {
        return equal(byMd5, source, source.encoding().gzip() ? copy : copy.uncompressed());
    }

    private static boolean equal(boolean byMd5, ListedBlob one, ListedBlob other) {
        if (!byMd5) {
            return other.fromFile() && sameTime(other, one.size(), one.modified());
        }
        return one.size() == other.size()
                && one.contentMd5() != null
                && one.contentMd5().equals(other.contentMd5());
    }

    private static String md5(DiskWork<InputStream> file) throws IOException {
        MessageDigest digest = Md5.begin();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = file.run()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return Base64.getEncoder().encodeToString(digest.digest());
    }
}
