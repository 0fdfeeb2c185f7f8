package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.PageBlobSettings.FileUpload;
import java.nio.file.Path;

/** A process that uploads one file to a page blob, to be killed while it does. */
final class PageUploadProcess {

    private PageUploadProcess() {}

    /** Takes the connection string, the container, the file and the blob; prints the bytes that it has sent and found. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            FileUpload upload =
                    storage.container(args[1]).pageBlob(args[3]).upload(Path.of(args[2]), o -> o.parallelism(2));
            System.out.println("sent " + upload.bytesSent() + " resumed " + upload.bytesResumed());
        }
    }
}
