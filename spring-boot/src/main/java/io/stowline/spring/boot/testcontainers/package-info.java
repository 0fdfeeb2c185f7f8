/** Connection details of an Azurite that Testcontainers runs. */
@NullMarked
package io.stowline.spring.boot.testcontainers;

import org.jspecify.annotations.NullMarked;
