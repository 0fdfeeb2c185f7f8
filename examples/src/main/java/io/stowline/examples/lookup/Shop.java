package io.stowline.examples.lookup;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.caching.CachedRead;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A table of settings and a blob with prices, each seen by the client that reads and by the one that writes.
 *
 * @param written the table of the writing client, gone at the end
 * @param read the same table of the reading client
 * @param shelf the container of the writing client, gone at the end
 * @param shown the same container of the reading client
 */
record Shop(ScratchTable<Setting> written, Table<Setting> read, BlobContainer shelf, BlobContainer shown)
        implements AutoCloseable {

    private static final String APPLICATION = "shop";
    private static final String BLOB = "prices.json";
    private static final int SETTINGS = 10;

    static Shop open(Stowline writing, Stowline reading) {
        ScratchTable<Setting> written = ScratchTable.create(writing, "lookup", Setting.class);
        BlobContainer shelf = writing.container(ScratchTable.name("lookup"));
        shelf.createIfMissing();
        Shop shop = new Shop(
                written, reading.table(written.table().name(), Setting.class), shelf, reading.container(shelf.name()));
        IntStream.range(0, SETTINGS).forEach(i -> shop.write(name(i), 0));
        shop.write(0);
        return shop;
    }

    private static String name(int number) {
        return "setting-" + number;
    }

    List<LookupItem> settings(Tally tally) {
        return IntStream.range(0, SETTINGS)
                .mapToObj(Shop::name)
                .map(name -> new LookupItem(
                        name,
                        freshness -> mapped(read.cached(freshness).find(APPLICATION, name), stored -> stored.value()
                                .version()),
                        version -> write(name, version),
                        new Versions(System::nanoTime),
                        tally))
                .toList();
    }

    LookupItem prices(Tally tally) {
        return new LookupItem(
                BLOB,
                freshness -> mapped(shown.cached(freshness).download(BLOB), Prices::version),
                this::write,
                new Versions(System::nanoTime),
                tally);
    }

    private static <A, B> CachedRead<B> mapped(CachedRead<A> read, Function<A, B> change) {
        Optional<B> value = read.value().map(change);
        return new CachedRead<>(value, read.outcome(), read.age());
    }

    private void write(String name, int version) {
        written.table().insertOrReplace(new Setting(APPLICATION, name, "value " + version, version));
    }

    private void write(int version) {
        shelf.upload(Prices.of(version), BLOB, settings -> settings.overwrite());
    }

    /** Reads a setting and the prices without the cache. */
    void readAll() {
        if (read.find(APPLICATION, name(0)).isEmpty() || Prices.version(shown.download(BLOB)) != 0) {
            throw new IllegalStateException("the settings or the prices are not those that were written");
        }
    }

    @Override
    public void close() {
        shelf.deleteContainerIfExists();
        written.close();
    }
}
