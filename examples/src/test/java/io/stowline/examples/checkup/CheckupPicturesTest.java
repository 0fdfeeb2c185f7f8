package io.stowline.examples.checkup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.advisor.AdviceReport;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pictures of the two reports, in {@code target/pictures}; those of the documents with {@code -Dstowline.pictures=docs/images}. */
@Tag("browser")
@AzuriteTest
@Timeout(300)
class CheckupPicturesTest {

    private static final Path PICTURES = Path.of(System.getProperty("stowline.pictures", "target/pictures"));
    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 1_400;

    @TempDir
    Path folder;

    @Test
    @DisplayName("headless Chromium shows both reports")
    void pictures(Azurite azurite) throws Exception {
        CheckupFindings findings =
                new Checkup(folder, new PrintStream(new ByteArrayOutputStream(), true, UTF_8)).compare(azurite, "");
        Files.createDirectories(PICTURES);

        for (Map.Entry<String, AdviceReport> one : Map.of(
                        "careless", findings.careless(), "careful", findings.careful())
                .entrySet()) {
            Path page = Files.writeString(
                    folder.resolve(one.getKey() + ".html"), one.getValue().html());
            Path picture = PICTURES.resolve("checkup-" + one.getKey() + ".png").toAbsolutePath();
            photograph(page, picture);

            BufferedImage image = ImageIO.read(picture.toFile());
            assertThat(image.getWidth()).isEqualTo(WIDTH);
            assertThat(image.getHeight()).isEqualTo(HEIGHT);
            assertThat(colours(image)).as("colours of %s", picture).hasSizeGreaterThan(10);
        }
    }

    private void photograph(Path page, Path picture) throws IOException, InterruptedException {
        Process browser = new ProcessBuilder(
                        "chromium",
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=" + WIDTH + "," + HEIGHT,
                        "--screenshot=" + picture,
                        page.toUri().toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("chromium.log").toFile())
                .start();
        if (!browser.waitFor(90, TimeUnit.SECONDS)) {
            browser.destroyForcibly();
        }
        assertThat(browser.waitFor())
                .as(Files.readString(folder.resolve("chromium.log")))
                .isZero();
    }

    private static Set<Integer> colours(BufferedImage image) {
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < HEIGHT; y += 3) {
            Arrays.stream(image.getRGB(0, y, WIDTH, 1, null, 0, WIDTH)).forEach(colours::add);
        }
        return colours;
    }
}
