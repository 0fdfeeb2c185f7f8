package io.stowline.system.recordings;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/** Recorded exchanges of a folder: its archive {@code cases.tar.xz}, or else its JSON files. */
final class RecordingArchive {

    private static final String ARCHIVE = "cases.tar.xz";
    private static final int BLOCK = 512;
    private static final char FILE = '0';
    /** The mark of a long name in a GNU archive: the content is the name of the next entry. */
    private static final char LONG_NAME = 'L';

    private final ObjectMapper json = new ObjectMapper();
    private final List<ServiceRecording> read = new ArrayList<>();

    private RecordingArchive() {}

    /** Reads all exchanges in the order of the archive, or of the names of the files. */
    static List<ServiceRecording> in(Path folder) throws IOException {
        RecordingArchive recordings = new RecordingArchive();
        Path archive = folder.resolve(ARCHIVE);
        if (Files.exists(archive)) {
            try (InputStream in = new XZInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
                recordings.addTar(in);
            }
        } else {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    recordings.add(
                            folder.relativize(file).toString().replace('\\', '/'), () -> Files.readAllBytes(file));
                }
            }
        }
        return recordings.read;
    }

    private void addTar(InputStream in) throws IOException {
        String longName = null;
        for (byte[] head = in.readNBytes(BLOCK); head.length == BLOCK && head[0] != 0; head = in.readNBytes(BLOCK)) {
            int length = Integer.parseInt(text(head, 124, 12).strip(), 8);
            byte[] content = in.readNBytes(length);
            if (content.length < length) {
                throw new EOFException(ARCHIVE + " ends within an entry");
            }
            in.skipNBytes((BLOCK - length % BLOCK) % BLOCK);
            char type = (char) head[156];
            if (type == FILE) {
                add(longName == null ? text(head, 0, 100) : longName, () -> content);
            }
            longName = type == LONG_NAME ? text(content, 0, length) : null;
        }
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    private void add(String name, Content content) throws IOException {
        if (name.endsWith(".json")) {
            read.addAll(ServiceRecording.of(name, json.readTree(content.bytes())));
        } else if (name.endsWith(".b64")) {
            read.add(ServiceRecording.batch(name, content.bytes()));
        }
    }

    private interface Content {
        byte[] bytes() throws IOException;
    }
}
