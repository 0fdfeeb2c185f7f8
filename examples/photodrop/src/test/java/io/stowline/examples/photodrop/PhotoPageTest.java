package io.stowline.examples.photodrop;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page in a browser, which reaches the storage through a fault proxy. Pictures of it are in {@code target/pictures}. */
@Tag("browser")
class PhotoPageTest extends ServiceTest {

    private static final Path PICTURES = Path.of("target", "pictures");
    private static final RequestMatch BLOCKS =
            requests().method("PUT").service(StorageService.BLOB).query("comp", "block");
    private static final RequestMatch LISTS =
            requests().method("PUT").service(StorageService.BLOB).query("comp", "blocklist");

    private static byte[] landscape;
    private static Chromium browser;

    @TempDir
    private Path folder;

    @BeforeAll
    static void starts() {
        landscape = TestPhotos.landscape(4200, 2800, 7);
        browser = Chromium.start();
    }

    @AfterAll
    static void ends() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void opens() {
        browser.resize(1280, 800, false);
        browser.driver().get(ORIGIN);
        browser.console();
    }

    @ParameterizedTest
    @CsvSource({"desktop, 1280, 800, false", "phone, 390, 844, true"})
    void aPhotoGoesStraightToTheStorageAndIsShown(String device, int width, int height, boolean mobile)
            throws Exception {
        browser.resize(width, height, mobile);
        browser.driver().navigate().refresh();
        picture(device, "empty");
        RequestHold hold = new RequestHold();
        proxy.when(BLOCKS).holdBefore(hold);

        choose("A walk to the lake.jpg", landscape);

        hold.awaitArrived(4, AT_MOST);
        await(() -> progress() > 0.5);
        assertThat(progress()).isLessThan(1);
        picture(device, "uploading");
        hold.release();
        awaitThumbnails(1);
        await(() -> shown("picture") && shownImage("picture") && shownImage("#thumbnails img"));
        picture(device, "stored");

        assertThat(blocks()).isGreaterThan(4);
        assertThat(proxy.recorded(BLOCKS)).hasSize(blocks());
        assertThat(proxy.recorded(LISTS)).hasSize(1);
        assertThat(proxy.recorded(requests().method("OPTIONS")))
                .as("preflight requests, one for each address")
                .hasSize(blocks() + 1);
        assertThat(proxy.recorded(BLOCKS).stream()
                        .mapToInt(exchange -> exchange.request().bodyLength())
                        .sum())
                .isEqualTo(landscape.length);
        String photo = photoOfPage();
        assertThat(photos.download(photo)).isEqualTo(landscape);
        assertThat(photos.info(photo).headers().contentType()).isEqualTo("image/jpeg");
        assertThat(element("download").getDomAttribute("href")).contains("rscd=attachment");
        assertThat(overflow()).as("pixels beyond the window").isZero();
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void failedBlocksAreRepeated() throws Exception {
        proxy.when(BLOCKS.nth(1)).respond(StubResponse.of(503));
        proxy.when(BLOCKS.nth(2)).reset();
        proxy.when(BLOCKS.nth(3)).loseResponse();

        choose("bad line.jpg", landscape);

        awaitThumbnails(1);
        assertThat(photos.download(photoOfPage())).isEqualTo(landscape);
        assertThat(proxy.recorded(BLOCKS)).hasSize(blocks() + 3);
    }

    /** The first list has taken effect; the same one again leaves the blob as it is. */
    @Test
    void aListWhoseResponseIsLostIsRepeated() throws Exception {
        proxy.when(LISTS.nth(1)).loseResponse();

        choose("lost.jpg", landscape);

        awaitThumbnails(1);
        assertThat(photos.download(photoOfPage())).isEqualTo(landscape);
        assertThat(proxy.recorded(LISTS)).hasSize(2);
    }

    @Test
    void aRefusedUploadIsExplainedAndCanBeTriedAgain() throws Exception {
        proxy.when(BLOCKS.times(1))
                .respond(StubResponse.of(403)
                        .header("x-ms-error-code", "AuthenticationFailed")
                        .header("Access-Control-Allow-Origin", ORIGIN)
                        .header("Access-Control-Expose-Headers", "x-ms-error-code"));
        choose("refused.jpg", landscape);

        awaitProblem("The storage refused the upload: AuthenticationFailed.");
        picture("desktop", "problem");
        element("again").click();

        awaitThumbnails(1);
        assertThat(element("problem").isDisplayed()).isFalse();
    }

    @Test
    void anUploadAfterTheEndOfItsSignatureIsExplained() throws Exception {
        browser.driver().executeScript("""
            const RealDate = Date;
            window.Date = class extends RealDate {
              constructor(...time) {
                super(...(time.length ? time : [RealDate.now() + 1_800_000]));
              }
            };
            """);
        proxy.when(BLOCKS).respond(StubResponse.of(403).header("Access-Control-Allow-Origin", ORIGIN));

        choose("late.jpg", landscape);

        awaitProblem("The time for this upload is over. Try again to begin a new one.");
    }

    /** Five attempts of the service and one of the page fail; the page does not upload again. */
    @Test
    void requestsToTheServiceAreRepeated() throws Exception {
        FaultRule fault = proxy.when(
                        requests().method("HEAD").path("**/photos/**").times(5))
                .respond(StubResponse.of(503));

        choose("storage fails.jpg", landscape);

        awaitThumbnails(1);
        assertThat(fault.hits()).isEqualTo(5);
        assertThat(proxy.recorded(LISTS)).hasSize(1);
    }

    @Test
    void filesThatAreNoPhotosAreExplained() throws Exception {
        choose("notes.txt", "notes".getBytes(StandardCharsets.UTF_8));
        awaitProblem("This is no photo: only JPEG and PNG files are accepted.");
        assertThat(element("wrong").getText()).isEqualTo("notes.txt");
        assertThat(shown("again")).isFalse();

        choose("large.jpg", new byte[MAX_SIZE + 1]);
        awaitProblem("A photo has at most 8 MB; this one has 8.1 MB.");
        assertThat(proxy.recorded(BLOCKS)).isEmpty();

        browser.resize(390, 844, true);
        choose("renamed.png", "notes".getBytes(StandardCharsets.UTF_8));
        awaitProblem("The service cannot read this file as a photo, and has removed it.");
        picture("phone", "problem");
        assertThat(overflow()).isZero();
    }

    @Test
    void aCancelledUploadLeavesNoBlob() throws Exception {
        RequestHold hold = new RequestHold();
        proxy.when(BLOCKS).holdBefore(hold);
        choose("cancelled.jpg", landscape);
        hold.awaitArrived(AT_MOST);

        element("cancel").click();

        await(() -> !shown("upload"));
        hold.release();
        assertThat(proxy.recorded(LISTS)).isEmpty();
        assertThat(element("problem").isDisplayed()).isFalse();
        choose("next.jpg", landscape);
        awaitThumbnails(1);
    }

    @Test
    void aFileThatIsDroppedOnThePageIsUploaded() {
        browser.driver().executeScript("""
            const canvas = document.createElement('canvas');
            canvas.width = canvas.height = 100;
            canvas.toBlob(blob => {
              const data = new DataTransfer();
              data.items.add(new File([blob], 'dropped.png', {type: 'image/png'}));
              document.getElementById('file').dispatchEvent(
                new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
            });
            """);

        awaitThumbnails(1);
        assertThat(element("caption").getText()).isEqualTo("dropped.png");
    }

    @Test
    void thumbnailsBringTheirPhotosBack() throws Exception {
        choose("first.jpg", TestPhotos.jpeg(800, 600));
        awaitThumbnails(1);
        choose("second.jpg", TestPhotos.jpeg(600, 800));
        awaitThumbnails(2);
        assertThat(element("caption").getText()).isEqualTo("second.jpg");

        browser.driver()
                .findElement(By.cssSelector("#thumbnails li:last-child button"))
                .click();

        await(() -> element("caption").getText().equals("first.jpg") && shownImage("picture"));
    }

    private void choose(String name, byte[] content) throws IOException {
        await(() -> element("file").isEnabled());
        element("file").sendKeys(Files.write(folder.resolve(name), content).toString());
    }

    private void awaitThumbnails(int count) {
        await(() -> {
            assertThat(element("problem").isDisplayed())
                    .as(() -> element("reason").getText() + browser.console())
                    .isFalse();
            return browser.driver()
                                    .findElements(By.cssSelector("#thumbnails li"))
                                    .size()
                            == count
                    && element("file").isEnabled();
        });
    }

    private void awaitProblem(String text) {
        Awaitility.await()
                .atMost(AT_MOST)
                .untilAsserted(() -> assertThat(element("reason").getText()).isEqualTo(text));
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(AT_MOST).until(condition);
    }

    /** Returns how many blocks of 1 MiB the landscape has. */
    private static int blocks() {
        return (landscape.length + (1 << 20) - 1) >> 20;
    }

    private static WebElement element(String id) {
        return browser.driver().findElement(By.id(id));
    }

    private static boolean shown(String id) {
        return element(id).isDisplayed();
    }

    private static double progress() {
        return Double.parseDouble(Objects.requireNonNull(element("progress").getDomProperty("value")));
    }

    /** Returns whether an image, by its id or selector, has been decoded. */
    private static boolean shownImage(String place) {
        return (Boolean) browser.driver()
                .executeScript(
                        "const image = document.querySelector(arguments[0]);"
                                + "return !!image && image.complete && image.naturalWidth > 0;",
                        place.startsWith("#") ? place : "#" + place);
    }

    private static long overflow() {
        return (Long) browser.driver()
                .executeScript("return document.documentElement.scrollWidth - document.documentElement.clientWidth;");
    }

    /** Returns the blob's name of the photo that the page shows. */
    private static String photoOfPage() {
        return element("picture").getDomProperty("src").replaceAll(".*/([^/?]+)\\?.*", "$1");
    }

    private static void picture(String device, String state) throws IOException {
        browser.picture(PICTURES.resolve(device + "-" + state + ".png"));
    }
}
