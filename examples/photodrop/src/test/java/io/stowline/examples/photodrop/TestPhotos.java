package io.stowline.examples.photodrop;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Photos for tests: red on the left and blue on the right, so that a test sees how they are turned. */
final class TestPhotos {

    private TestPhotos() {}

    static byte[] jpeg(int width, int height) {
        return encoded("jpeg", picture(width, height));
    }

    /** A landscape for people to look at, with noise that makes it some megabytes large. */
    static byte[] landscape(int width, int height, long seed) {
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.setPaint(new GradientPaint(0, 0, new Color(0x2f6fb0), 0, height * 0.7f, new Color(0xf3d9b1)));
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(new Color(0xfff4d6));
        graphics.fillOval(width * 7 / 10, height / 5, width / 9, width / 9);
        for (int range = 0; range < 4; range++) {
            graphics.setColor(new Color(0x4a6f5a - range * 0x0a0f0c));
            int base = height * (50 + 11 * range) / 100;
            int[] x = new int[12];
            int[] y = new int[12];
            Random random = new Random(seed + range);
            for (int point = 0; point < 10; point++) {
                x[point] = width * point / 9;
                y[point] = base + random.nextInt(height / 6) - height / 12;
            }
            x[10] = width;
            y[10] = height;
            y[11] = height;
            graphics.fillPolygon(x, y, 12);
        }
        graphics.dispose();
        Random noise = new Random(seed);
        int[] row = new int[width];
        for (int y = 0; y < height; y++) {
            picture.getRGB(0, y, width, 1, row, 0, width);
            for (int x = 0; x < width; x++) {
                int shift = noise.nextInt(41) - 20;
                row[x] = near(row[x] >> 16, shift) << 16 | near(row[x] >> 8, shift) << 8 | near(row[x], shift);
            }
            picture.setRGB(0, y, width, 1, row, 0, width);
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try (ImageOutputStream output = new MemoryCacheImageOutputStream(content)) {
            ImageWriteParam settings = writer.getDefaultWriteParam();
            settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            settings.setCompressionQuality(0.95f);
            writer.setOutput(output);
            writer.write(null, new IIOImage(picture, null, null), settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return content.toByteArray();
    }

    private static int near(int channel, int shift) {
        return Math.max(0, Math.min(255, (channel & 0xff) + shift));
    }

    /** A JPEG that a camera stored in another orientation: an APP1 segment with one EXIF entry behind the start of the image. */
    static byte[] jpeg(int width, int height, int orientation) {
        byte[] plain = jpeg(width, height);
        byte[] exif = {
            (byte) 0xff,
            (byte) 0xe1,
            0,
            34,
            'E',
            'x',
            'i',
            'f',
            0,
            0,
            'M',
            'M',
            0,
            42,
            0,
            0,
            0,
            8,
            0,
            1,
            1,
            0x12,
            0,
            3,
            0,
            0,
            0,
            1,
            0,
            (byte) orientation,
            0,
            0,
            0,
            0,
            0,
            0
        };
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        result.write(plain, 0, 2);
        result.writeBytes(exif);
        result.write(plain, 2, plain.length - 2);
        return result.toByteArray();
    }

    static byte[] transparentPng(int width, int height) {
        return encoded("png", new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB));
    }

    static byte[] encoded(String format, BufferedImage picture) {
        try (ByteArrayOutputStream content = new ByteArrayOutputStream()) {
            ImageIO.write(picture, format, content);
            return content.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static BufferedImage picture(int width, int height) {
        BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.setColor(Color.RED);
        graphics.fillRect(0, 0, width / 2, height);
        graphics.setColor(Color.BLUE);
        graphics.fillRect(width / 2, 0, width, height);
        graphics.dispose();
        return picture;
    }
}
