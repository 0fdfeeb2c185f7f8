package io.stowline.examples.photodrop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThumbnailTest {

    @ParameterizedTest
    @CsvSource({
        "4000, 3000, 320, 240",
        "3000, 4000, 240, 320",
        "1281, 20, 320, 5",
        "5000, 1, 320, 1",
        "321, 321, 320, 320",
        "320, 100, 320, 100",
        "1, 1, 1, 1"
    })
    void sidesKeepTheirRatioAndSmallPhotosTheirSize(int width, int height, int expectedWidth, int expectedHeight)
            throws Exception {
        BufferedImage thumbnail = thumbnail(TestPhotos.jpeg(width, height));

        assertThat(thumbnail.getWidth()).isEqualTo(expectedWidth);
        assertThat(thumbnail.getHeight()).isEqualTo(expectedHeight);
    }

    /** The photo is red on the left: its first column, which the orientation names as the visible top, bottom, left or right. */
    @ParameterizedTest
    @CsvSource({
        "1, LEFT",
        "2, RIGHT",
        "3, RIGHT",
        "4, LEFT",
        "5, TOP",
        "6, TOP",
        "7, BOTTOM",
        "8, BOTTOM",
        "0, LEFT",
        "9, LEFT"
    })
    void photosOfTurnedCamerasStandUpright(int orientation, Side red) throws Exception {
        BufferedImage thumbnail = thumbnail(TestPhotos.jpeg(600, 400, orientation));
        int width = thumbnail.getWidth();
        int height = thumbnail.getHeight();

        assertThat(width > height).isEqualTo(red == Side.LEFT || red == Side.RIGHT);
        assertThat(isRed(thumbnail, width / 8, height / 8)).isEqualTo(red == Side.LEFT || red == Side.TOP);
        assertThat(isRed(thumbnail, width * 7 / 8, height * 7 / 8)).isEqualTo(red == Side.RIGHT || red == Side.BOTTOM);
        assertThat(isRed(thumbnail, width * 7 / 8, height / 8)).isEqualTo(red == Side.RIGHT || red == Side.TOP);
    }

    @Test
    void transparentPhotosLieOnWhite() throws Exception {
        assertThat(thumbnail(TestPhotos.transparentPng(500, 500)).getRGB(100, 100))
                .isEqualTo(Color.WHITE.getRGB());
    }

    @Test
    void thumbnailsHaveNoExif() throws Exception {
        byte[] thumbnail = Thumbnail.of(TestPhotos.jpeg(600, 400, 6));

        assertThat(new String(thumbnail, StandardCharsets.ISO_8859_1)).doesNotContain("Exif");
    }

    @Test
    void contentThatIsNoPhotoIsRefused() {
        byte[] gif = TestPhotos.encoded("gif", TestPhotos.picture(10, 10));
        byte[] png = TestPhotos.transparentPng(500, 500);

        assertUnreadable("<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8));
        assertUnreadable(gif);
        assertUnreadable(Arrays.copyOf(png, png.length / 2));
        assertUnreadable(new byte[0]);
    }

    /** A header of 33 bytes claims 100,000 × 100,000 pixels. */
    @Test
    void picturesWithTooManyPixelsAreNotDecoded() {
        byte[] png = TestPhotos.transparentPng(1, 1);
        png[17] = 1;
        png[18] = (byte) 0x86;
        png[19] = (byte) 0xa0;
        png[21] = 1;
        png[22] = (byte) 0x86;
        png[23] = (byte) 0xa0;

        assertThatThrownBy(() -> Thumbnail.of(png))
                .isInstanceOf(UnreadablePhotoException.class)
                .hasMessageContaining("10000000000 pixels")
                .hasMessageContaining("50000000");
    }

    private static void assertUnreadable(byte[] content) {
        assertThatThrownBy(() -> Thumbnail.of(content)).isInstanceOf(UnreadablePhotoException.class);
    }

    private static BufferedImage thumbnail(byte[] photo) throws UnreadablePhotoException, IOException {
        return ImageIO.read(new ByteArrayInputStream(Thumbnail.of(photo)));
    }

    private static boolean isRed(BufferedImage picture, int x, int y) {
        Color color = new Color(picture.getRGB(x, y));
        return color.getRed() > color.getBlue();
    }

    private enum Side {
        LEFT,
        RIGHT,
        TOP,
        BOTTOM
    }
}
