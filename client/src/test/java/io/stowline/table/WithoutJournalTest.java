package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WithoutJournalTest {

    private static final String ACCOUNT = "AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acct";

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isJournal(Path entry) {
        String name = entry.getFileName().toString();
        return name.startsWith("stowline-journal")
                || name.startsWith("h2-mvstore")
                || Files.exists(entry.resolve("io/stowline/journal/Journal.class"));
    }

    @Test
    @DisplayName("BATCH-15: the journal is optional: writers work where it is not")
    void writersWorkWithoutIt() throws Exception {
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Stream.of(whole.split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> !isJournal(entry))
                .map(WithoutJournalTest::url)
                .toArray(URL[]::new);
        try (URLClassLoader without = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Object user =
                    without.loadClass(User.class.getName()).getConstructor().newInstance();
            user.getClass().getMethod("run").invoke(user);
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> without.loadClass("io.stowline.journal.Journal"));
        }
    }

    /** Uses writers as code does that was compiled against the client. */
    public static final class User implements Runnable {

        /** Made by its name. */
        public User() {}

        @Override
        public void run() {
            try (Stowline storage = Stowline.connect(ACCOUNT);
                    TableWriter<Entity> writer = storage.table("people").writer();
                    TableWriter<Entity> indexed = storage.table("people")
                            .indexed(Index.text("NAME", entity -> "name"))
                            .writer()) {
                writer.flush();
                indexed.flush();
                writer.failingFast().flush();
                writer.reactive().flush().block();
            }
        }
    }
}
