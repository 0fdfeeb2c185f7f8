package io.stowline.examples.photodrop;

import com.drew.imaging.ImageMetadataReader;
import com.drew.imaging.ImageProcessingException;
import com.drew.metadata.MetadataException;
import com.drew.metadata.exif.ExifIFD0Directory;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** A small JPEG of a photo: upright, on white where the photo is transparent, and without its EXIF data, which may name a place. */
final class Thumbnail {

    /** The longer side in pixels. */
    static final int SIDE = 320;

    /** A bound on memory: a file of a few bytes may claim any width and height. */
    static final long MAX_PIXELS = 50_000_000;

    private Thumbnail() {}

    /**
     * Makes the thumbnail of a photo.
     *
     * @throws UnreadablePhotoException if the content is no JPEG or PNG picture, is damaged, or has too many pixels
     */
    static byte[] of(byte[] photo) throws UnreadablePhotoException {
        try {
            BufferedImage upright = turned(decode(photo), orientation(photo));
            ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
            ImageIO.write(scaled(upright), "jpeg", jpeg);
            return jpeg.toByteArray();
        } catch (IOException | ImageProcessingException | MetadataException | RuntimeException e) {
            // The decoders of the JDK throw various runtime exceptions for damaged files.
            throw new UnreadablePhotoException("the photo cannot be decoded", e);
        }
    }

    /** Reads every n-th pixel, so that the picture in memory stays small and has four times the pixels that are needed. */
    private static BufferedImage decode(byte[] photo) throws IOException, UnreadablePhotoException {
        try (ImageInputStream input = new MemoryCacheImageInputStream(new ByteArrayInputStream(photo))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
            if (!readers.hasNext()) {
                throw new UnreadablePhotoException("the content is no picture", null);
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(input, true);
                if (PhotoType.of(reader.getOriginatingProvider().getMIMETypes()[0])
                        .isEmpty()) {
                    throw new UnreadablePhotoException(
                            "the picture is of type " + reader.getFormatName() + ", which is not allowed", null);
                }
                long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
                if (pixels > MAX_PIXELS) {
                    throw new UnreadablePhotoException(
                            "the picture has " + pixels + " pixels; the limit is " + MAX_PIXELS, null);
                }
                int step = Math.max(1, Math.max(reader.getWidth(0), reader.getHeight(0)) / (4 * SIDE));
                ImageReadParam settings = reader.getDefaultReadParam();
                settings.setSourceSubsampling(step, step, 0, 0);
                return reader.read(0, settings);
            } finally {
                reader.dispose();
            }
        }
    }

    private static int orientation(byte[] photo) throws IOException, ImageProcessingException, MetadataException {
        ExifIFD0Directory exif = ImageMetadataReader.readMetadata(new ByteArrayInputStream(photo))
                .getFirstDirectoryOfType(ExifIFD0Directory.class);
        return exif == null ? 1 : Objects.requireNonNullElse(exif.getInteger(ExifIFD0Directory.TAG_ORIENTATION), 1);
    }

    /** Turns and mirrors a picture as its EXIF orientation demands, onto white. */
    private static BufferedImage turned(BufferedImage picture, int orientation) {
        int width = picture.getWidth();
        int height = picture.getHeight();
        AffineTransform transform =
                switch (orientation) {
                    case 2 -> new AffineTransform(-1, 0, 0, 1, width, 0);
                    case 3 -> new AffineTransform(-1, 0, 0, -1, width, height);
                    case 4 -> new AffineTransform(1, 0, 0, -1, 0, height);
                    case 5 -> new AffineTransform(0, 1, 1, 0, 0, 0);
                    case 6 -> new AffineTransform(0, 1, -1, 0, height, 0);
                    case 7 -> new AffineTransform(0, -1, -1, 0, height, width);
                    case 8 -> new AffineTransform(0, -1, 1, 0, 0, width);
                    default -> new AffineTransform();
                };
        boolean swapped = orientation >= 5 && orientation <= 8;
        return drawn(picture, swapped ? height : width, swapped ? width : height, transform);
    }

    /** Halves a picture while that is enough, since one large step would leave pixels out. A small picture stays as it is. */
    private static BufferedImage scaled(BufferedImage picture) {
        double factor = Math.min(1, (double) SIDE / Math.max(picture.getWidth(), picture.getHeight()));
        int width = Math.max(1, (int) Math.round(picture.getWidth() * factor));
        int height = Math.max(1, (int) Math.round(picture.getHeight() * factor));
        BufferedImage result = picture;
        while (result.getWidth() > width || result.getHeight() > height) {
            int nextWidth = Math.max(width, result.getWidth() / 2);
            int nextHeight = Math.max(height, result.getHeight() / 2);
            AffineTransform smaller = AffineTransform.getScaleInstance(
                    (double) nextWidth / result.getWidth(), (double) nextHeight / result.getHeight());
            result = drawn(result, nextWidth, nextHeight, smaller);
        }
        return result;
    }

    private static BufferedImage drawn(BufferedImage picture, int width, int height, AffineTransform transform) {
        BufferedImage result = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = result.createGraphics();
        try {
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, width, height);
            graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
            graphics.drawImage(picture, transform, null);
        } finally {
            graphics.dispose();
        }
        return result;
    }
}
