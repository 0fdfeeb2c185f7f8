package io.stowline.projection.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.projection.InvalidKeyException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names of blobs, containers and queues against the rules of their services, written once more. */
class KeyTargetTest {

    private static final Pattern HYPHENATED = Pattern.compile("(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
    private static final String ALPHABET = "abz09AZ-/.!#?\\ \u007F\u00FC\uD83D";

    private static String text(Random random, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(9) == 0 ? 300 : 5); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static String nameOrNull(KeyFormat format, Object... values) {
        try {
            return format.format(values);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isBlob(String name) {
        return name.length() >= 1
                && name.length() <= 1_024
                && name.chars().noneMatch(c -> c == '\\' || Character.isISOControl(c))
                && !name.matches("(?s).*[\\uD800-\\uDFFF].*")
                && List.of(name.split("/", -1)).stream().noneMatch(part -> part.isEmpty() || part.endsWith("."))
                && name.split("/", -1).length <= 254;
    }

    @Property
    @Label("A2: a name is legal, or refused; what is legal is not refused, and is parsed again")
    void names(@ForAll long seed) {
        Random random = new Random(seed);
        String alphabet = random.nextBoolean() ? "ab1" : ALPHABET;
        String one = text(random, alphabet);
        String two = text(random, alphabet);
        for (KeyFormat format : new KeyFormat[] {
            KeyFormat.forContainers().text("a").text("b"),
            KeyFormat.forQueues().withHash(7).text("a").text("b")
        }) {
            String name = nameOrNull(format, one, two);
            boolean legal = one.matches("[a-z0-9]+")
                    && two.matches("[a-z0-9]+")
                    && one.length() + two.length() + (format.toString().contains("hash") ? 5 : 1) <= 63;
            assertThat(name != null).isEqualTo(legal);
            if (name != null) {
                assertThat(name).matches(HYPHENATED);
                assertThat(format.parse(name).text("b")).isEqualTo(two);
            }
        }
        KeyFormat blobs = KeyFormat.forBlobs().text("a").text("b");
        String blob = nameOrNull(blobs, one, two);
        boolean separate = !one.contains("!") && !two.contains("!");
        assertThat(blob != null).isEqualTo(separate && isBlob(one + "!" + two));
        if (blob != null) {
            assertThat(blobs.parse(blob).text("a")).isEqualTo(one);
        }
        String folders =
                nameOrNull(KeyFormat.forBlobsInFolders().withHash(7).text("a").text("b"), one, two);
        boolean inOne = !one.contains("/") && !two.contains("/");
        assertThat(folders != null).isEqualTo(inOne && isBlob("000/" + one + "/" + two));
    }

    @Property
    @Label("A2: escaped text of any kind is a blob name, and names sort as their values do")
    void order(@ForAll long seed) {
        Random random = new Random(seed);
        KeyFormat blobs = KeyFormat.forBlobs().escaped("a").number("b", 3);
        KeyFormat queues = KeyFormat.forQueues().text("a").number("b", 3);
        String escaped = text(random, ALPHABET.replace("\uD83D", "")) + "x";
        String other = text(random, ALPHABET.replace("\uD83D", "")) + "x";
        int number = random.nextInt(20);
        if (escaped.length() + other.length() < 300) {
            String name = blobs.format(escaped, number);
            assertThat(isBlob(name)).isTrue();
            assertThat(Integer.signum(name.compareTo(blobs.format(other, 7))))
                    .isEqualTo(Integer.signum(
                            escaped.equals(other) ? Integer.compare(number, 7) : escaped.compareTo(other)));
        }
        String one = "a" + text(random, "ab1").replaceAll("(.{20}).*", "$1");
        String two = "a" + text(random, "ab1").replaceAll("(.{20}).*", "$1");
        assertThat(Integer.signum(queues.format(one, number).compareTo(queues.format(two, 7))))
                .isEqualTo(Integer.signum(one.equals(two) ? Integer.compare(number, 7) : one.compareTo(two)));
    }

    private static void isRefused(KeyFormat format, String message, Object... values) {
        assertThatExceptionOfType(InvalidKeyException.class)
                .isThrownBy(() -> format.format(values))
                .withMessageContaining(message);
    }

    @Test
    @DisplayName("A2: a refusal names the part, the position and the limit")
    void refusals() {
        KeyFormat queues = KeyFormat.forQueues().text("tenant");
        isRefused(queues, "tenant: U+0041 at position 1 is not allowed; a queue name holds lower-case", "xA");
        isRefused(queues, "queue name: 2 characters; it has at least 3", "ab");
        isRefused(queues, "queue name: 64 characters; the limit is 63; part tenant takes 64", "a".repeat(64));
        isRefused(
                KeyFormat.forContainers().text("a").text("b"), "container name: it has lower-case letters", "abc", "");
        isRefused(KeyFormat.forContainers().text("a"), "at position 1 is not allowed", "a-b");
        KeyFormat blobs = KeyFormat.forBlobs().text("path");
        isRefused(blobs, "blob name: the segment that ends at position 4 ends with a dot", "a/b./c");
        isRefused(blobs, "blob name: the segment that ends at position 2 is empty", "a/");
        isRefused(blobs, "blob name: 0 characters; it has at least 1", "");
        isRefused(blobs, "blob name: 255 segments between '/'; the limit is 254", "a/".repeat(254) + "a");
        isRefused(blobs, "blob name: 1025 characters; the limit is 1024; part path", "a".repeat(1_025));
        isRefused(blobs, "path: U+005C", "a\\b");
        assertThatIllegalStateException()
                .isThrownBy(() -> KeyFormat.forQueues().escaped("a"))
                .withMessageContaining("a queue name holds no escapes");
        assertThatExceptionOfType(InvalidKeyException.class).isThrownBy(() -> queues.parse("Abc"));
        assertThatExceptionOfType(InvalidKeyException.class).isThrownBy(() -> blobs.parse("a/./b"));
        assertThatExceptionOfType(InvalidKeyException.class).isThrownBy(() -> blobs.parse("a".repeat(1_025)));
    }

    @Test
    @DisplayName("A2: a hash and every other part make names, and the prefixes begin them")
    void parts() {
        Instant time = Instant.parse("2026-11-28T10:11:12Z");
        KeyFormat queues = KeyFormat.forQueues().withHash(100).text("tenant").secondsFirst("at");
        String queue = queues.format("acme", time);
        assertThat(queue).matches(HYPHENATED).endsWith("-acme-12202611281011");
        assertThat(queues.prefixes("acme")).hasSize(100).anyMatch(queue::startsWith);
        assertThat(queues.parse(queue).time("at")).isEqualTo(time);
        UUID id = new UUID(1, 2);
        KeyFormat containers =
                KeyFormat.forContainers().random("r", 4).uuid("id").time("at");
        assertThat(containers.format("00ff", id, time)).matches(HYPHENATED).startsWith("00ff-" + id + "-");
        KeyFormat photos =
                KeyFormat.forBlobsInFolders().withHash(16).text("device").newestFirst("at");
        String photo = photos.format("camera7", time);
        assertThat(photo).matches("\\d{3}/camera7/\\d{19}");
        assertThat(photos.parse(photo).text("device")).isEqualTo("camera7");
        assertThat(KeyFormat.forBlobs().withHash(100).text("path").format("2026/start #1?.jpg"))
                .matches("\\d{3}!2026/start #1\\?.jpg");
    }
}
