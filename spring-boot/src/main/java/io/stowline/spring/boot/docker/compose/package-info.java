/** Connection details of an Azurite that Docker Compose runs. */
@NullMarked
package io.stowline.spring.boot.docker.compose;

import org.jspecify.annotations.NullMarked;
