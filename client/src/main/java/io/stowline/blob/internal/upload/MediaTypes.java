package io.stowline.blob.internal.upload;

import io.stowline.blob.UploadSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Media types by the ends of file names, the same on every machine. Stateless. */
public final class MediaTypes {

    private static final Map<String, String> TYPES = new HashMap<>();

    static {
        add("text/html", "html", "htm");
        add("application/xhtml+xml", "xhtml");
        add("text/css", "css");
        add("text/javascript", "js", "mjs");
        add("application/json", "json", "map");
        add("application/ld+json", "jsonld");
        add("application/geo+json", "geojson");
        add("application/manifest+json", "webmanifest");
        add("application/wasm", "wasm");
        add("application/xml", "xml", "xsd", "xsl");
        add("application/rss+xml", "rss");
        add("application/atom+xml", "atom");
        add("application/yaml", "yaml", "yml");
        add("text/plain", "txt", "log");
        add("text/markdown", "md");
        add("text/csv", "csv");
        add("text/tab-separated-values", "tsv");
        add("text/calendar", "ics");
        add("text/vtt", "vtt");
        add("image/png", "png");
        add("image/apng", "apng");
        add("image/jpeg", "jpg", "jpeg");
        add("image/gif", "gif");
        add("image/webp", "webp");
        add("image/avif", "avif");
        add("image/heic", "heic");
        add("image/svg+xml", "svg");
        add("image/bmp", "bmp");
        add("image/tiff", "tif", "tiff");
        add("image/vnd.microsoft.icon", "ico");
        add("audio/mpeg", "mp3");
        add("audio/mp4", "m4a");
        add("audio/aac", "aac");
        add("audio/ogg", "ogg", "oga", "opus");
        add("audio/wav", "wav");
        add("audio/flac", "flac");
        add("audio/webm", "weba");
        add("video/mp4", "mp4", "m4v");
        add("video/webm", "webm");
        add("video/ogg", "ogv");
        add("video/mpeg", "mpeg", "mpg");
        add("video/quicktime", "mov");
        add("video/x-msvideo", "avi");
        add("video/x-matroska", "mkv");
        add("font/woff", "woff");
        add("font/woff2", "woff2");
        add("font/ttf", "ttf");
        add("font/otf", "otf");
        add("application/vnd.ms-fontobject", "eot");
        add("application/pdf", "pdf");
        add("application/rtf", "rtf");
        add("application/epub+zip", "epub");
        add("application/zip", "zip");
        add("application/gzip", "gz", "tgz");
        add("application/x-bzip2", "bz2");
        add("application/x-7z-compressed", "7z");
        add("application/vnd.rar", "rar");
        add("application/x-tar", "tar");
        add("application/java-archive", "jar");
        add("application/msword", "doc");
        add("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx");
        add("application/vnd.ms-excel", "xls");
        add("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx");
        add("application/vnd.ms-powerpoint", "ppt");
        add("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx");
        add("application/vnd.oasis.opendocument.text", "odt");
        add("application/vnd.oasis.opendocument.spreadsheet", "ods");
        add("application/vnd.oasis.opendocument.presentation", "odp");
    }

    private MediaTypes() {}

    private static void add(String type, String... ends) {
        for (String end : ends) {
            TYPES.put(end, type);
        }
    }

    /** Returns the default settings of a blob that a file becomes: its content type follows from the names. */
    public static UploadSettings.Builder settings(String blob, @Nullable Path file) {
        String type = of(Objects.requireNonNull(blob, "name"), file);
        return type == null
                ? UploadSettings.builder()
                : UploadSettings.builder().contentType(type);
    }

    /**
     * Returns the type of a blob that a file becomes: by its name, or else by that of the file; {@code null} where
     * neither has a known end.
     */
    public static @Nullable String of(String blob, @Nullable Path file) {
        String type = of(blob);
        return type != null || file == null || file.getFileName() == null
                ? type
                : of(file.getFileName().toString());
    }

    private static @Nullable String of(String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        int dot = last.lastIndexOf('.');
        return dot < 0 ? null : TYPES.get(last.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}
