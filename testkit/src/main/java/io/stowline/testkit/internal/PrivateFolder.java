package io.stowline.testkit.internal;

import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;

/** A factory of folders in which only this user can write and read. Where the file system knows no such modes, the system's own rules hold. */
final class PrivateFolder {

    private PrivateFolder() {}

    /**
     * Makes the folder, or closes one that others may enter.
     *
     * @throws TestkitException if it belongs to another user, who could put there what is run
     */
    static void make(Path folder) throws IOException {
        Files.createDirectories(folder);
        PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        UserPrincipal owner = view.getOwner();
        if (!owner.equals(self(folder))) {
            throw new TestkitException("the cache folder " + folder + " belongs to " + owner.getName()
                    + ", not to the user of this process; set -D" + CacheFolder.PROPERTY + " or " + CacheFolder.VARIABLE
                    + " to a folder of this user");
        }
        String only = "rwx------";
        if (!PosixFilePermissions.toString(view.readAttributes().permissions()).equals(only)) {
            view.setPermissions(PosixFilePermissions.fromString(only));
        }
    }

    private static UserPrincipal self(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "owner", null);
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
