package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobReplicas;
import java.util.List;

/** A process that reads each of many hot blobs from one of its copies, as one machine of many. */
final class ReplicaProcess {

    static final List<String> OTHERS = List.of("second", "third");

    private ReplicaProcess() {}

    /** Takes the connection string, the number of blobs and how often each is read. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            BlobReplicas replicas = of(storage);
            int times = Integer.parseInt(args[2]);
            for (int i = 0; i < Integer.parseInt(args[1]) * times; i++) {
                replicas.download(name(i / times));
            }
        }
    }

    static BlobReplicas of(Stowline storage) {
        return storage.container("first").replicas(containers(storage));
    }

    static List<BlobContainer> containers(Stowline storage) {
        return OTHERS.stream().map(storage::container).toList();
    }

    static String name(int number) {
        return "models/" + number;
    }
}
