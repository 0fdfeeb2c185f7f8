package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.DownloadSettings.FileDownload;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** Downloads one blob, to one file or to several at once, and says what came of it. */
final class DownloadWorker {

    private DownloadWorker() {}

    public static void main(String[] args) throws Exception {
        try (Stowline storage = Stowline.connect(args[0])) {
            BlobContainer container = storage.container(args[1]);
            int files = Integer.parseInt(args[3]);
            Thread[] all = IntStream.range(0, files)
                    .mapToObj(i -> new Thread(() -> download(container, Path.of(args[2] + i))))
                    .toArray(Thread[]::new);
            for (Thread one : all) {
                one.start();
            }
            for (Thread one : all) {
                one.join();
            }
        }
    }

    private static void download(BlobContainer container, Path target) {
        FileDownload done = container.downloadTo("big", target, with -> with);
        System.out.println("done " + done.bytesResumed());
    }
}
